import { type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { isDuplicateKey } from './mongo-errors';

/** A model, or its native collection on a hot path. */
export interface Inserts<T> {
  insertOne(document: T): PromiseLike<unknown>;
}

/** False when a unique key is there already; `index` narrows it to one key pattern, and what breaks another is thrown. */
export async function insertOnce<T>(into: Inserts<T>, document: T, index?: string): Promise<boolean> {
  try {
    await into.insertOne(document);
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
