import { type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { type Collection, type Document } from './driver-types';
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

/**
 * The document with this id in its organisation: the given one, or what is there already. Null when the id is another's, or when the
 * write that took it is not durable yet: whoever asks again will find it.
 */
export async function insertOrFind<T extends Owned>(model: Model<T>, document: T): Promise<T | null> {
  if (await insertOnce(model, document, '_id')) return document;
  const { organizationId, _id } = document;
  return model
    .findOne({ organizationId, _id } as QueryFilter<T>)
    .lean<T>()
    .exec();
}

interface Owned {
  readonly _id: string;
  readonly organizationId: string;
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
