import { randomUUID } from 'node:crypto';
import { type Model } from 'mongoose';
import { AppError } from '@invoicing/errors';
import { isDuplicateKey } from '@invoicing/mongo';

/** A customer or product as it is stored. */
export interface CatalogRecord<Details> {
  readonly _id: string;
  readonly organizationId: string;
  readonly details: Details;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Newest first, with a tie break, for lists. */
export const newestFirst = { createdAt: -1, _id: -1 } as const;
export const newestFirstIndex = { organizationId: 1, ...newestFirst } as const;

/** The document with the operation's id; the same operation again answers the same document. Another's id is a conflict. */
export async function createRecord<R extends CatalogRecord<unknown>>(
  model: Model<R>,
  organizationId: string,
  operationId: string | undefined,
  fields: Pick<R, 'details'> & Partial<R>,
): Promise<R> {
  const now = new Date();
  const record = { ...fields, _id: operationId ?? randomUUID(), organizationId, createdAt: now, updatedAt: now };
  try {
    await model.create([record]);
    return record as unknown as R;
  } catch (error) {
    if (!isDuplicateKey(error, '_id')) throw error;
    const existing = await findRecord(model, organizationId, record._id);
    if (existing) return existing;
    throw new AppError('conflict', 'idempotency_conflict', 'the operation id is taken', { cause: error });
  }
}

export const findRecord = <R extends CatalogRecord<unknown>>(
  model: Model<R>,
  organizationId: string,
  id: string,
): Promise<R | null> => model.findOne({ _id: id, organizationId }).lean<R>().exec();

export const listRecords = <R extends CatalogRecord<unknown>>(
  model: Model<R>,
  organizationId: string,
  limit: number,
): Promise<R[]> => model.find({ organizationId }).sort(newestFirst).limit(limit).lean<R[]>().exec();

/** Those of `ids` that are the organisation's: another's id is absent like an unknown one. */
export const resolveRecords = async <R extends CatalogRecord<unknown>>(
  model: Model<R>,
  organizationId: string,
  ids: readonly string[],
): Promise<R[]> =>
  ids.length === 0
    ? []
    : model
        .find({ _id: { $in: [...new Set(ids)] }, organizationId })
        .lean<R[]>()
        .exec();
