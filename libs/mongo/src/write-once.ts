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

/** Changes the document only while it is as it was `seen`; false when it is not. `seen` names the organisation, the id and what decides. */
export async function compareAndSet<T>(
  model: Model<T>,
  seen: QueryFilter<T>,
  update: UpdateQuery<T>,
): Promise<boolean> {
  const { matchedCount } = await model.updateOne(seen, update);
  return matchedCount === 1;
}
