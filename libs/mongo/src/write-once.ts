import { type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { AppError } from '@invoicing/errors';
import { type Collection, type Document } from './driver-types';
import { inOrganization } from './in-organization';
import { isDuplicateKey } from './mongo-errors';

/**
 * Inserts by the model, or on a hot path by its native collection. False when a unique key is there already; `index` narrows it to one
 * key pattern, and what breaks another is thrown.
 */
export async function insertOnce<T>(
  into: Model<T> | (T extends Document ? Collection<T> : never),
  document: T,
  index?: string,
): Promise<boolean> {
  const { insertOne } = into as { insertOne: (document: T) => Promise<unknown> };
  try {
    await insertOne.call(into, document);
    return true;
  } catch (error) {
    if (isDuplicateKey(error, index)) return false;
    throw error;
  }
}

/** Inserts a document; false when its `_id` is there already. */
export type Insert<T> = (document: T) => Promise<boolean>;

/**
 * The document with this id in its organisation: the given one, or what is there already. Inserts by the model, or on a hot path as
 * `insert` does (`joinedInserts`). Throws `idempotency_conflict` when the id is another organisation's.
 */
export async function insertOrFind<T extends Owned>(
  model: Model<T>,
  document: T,
  insert: Insert<T> = (each) => insertOnce(model, each, '_id'),
): Promise<T> {
  if (await insert(document)) return document;
  const { organizationId, _id } = document;
  const found = await model
    .findOne({ ...inOrganization(organizationId), _id } as QueryFilter<T>)
    .lean<T>()
    .exec();
  if (found) return found;
  if (await model.exists({ _id } as QueryFilter<T>))
    throw new AppError('conflict', 'idempotency_conflict', 'the operation id is taken');
  // Refused by a write that is not durable yet: whoever asks again will find it.
  throw new AppError('unavailable', 'unavailable', 'it is being created');
}

interface Owned {
  readonly _id: string;
  /** Absent where the document is the organisation itself. */
  readonly organizationId?: string | undefined;
}

/** Changes the document only while it is as it was `seen`; false when it is not. `seen` names the organisation, the id and what decides. */
export async function compareAndSet<T>(
  model: Model<T>,
  seen: QueryFilter<T>,
  update: UpdateQuery<T>,
): Promise<boolean> {
  const { matchedCount } = await model.updateOne(seen, update);
  return matchedCount === 1;
}
