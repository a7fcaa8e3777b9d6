import { randomUUID } from 'node:crypto';
import { NEWEST_FIRST, insertOrFind, newest, required, type Model } from '@invoicing/mongo';

/** A customer or product as it is stored. */
export interface CatalogRecord<Details> {
  readonly _id: string;
  readonly organizationId: string;
  readonly details: Details;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What every collection of the catalog has, beside `details`. */
export const recordFields = { organizationId: required(String), createdAt: required(Date), updatedAt: required(Date) };
export const newestFirstIndex = { organizationId: 1, ...NEWEST_FIRST } as const;

/** The document with the operation's id; the same operation again answers the same document. Another's id is a conflict. */
export async function createRecord<R extends CatalogRecord<unknown>>(
  model: Model<R>,
  organizationId: string,
  operationId: string | undefined,
  fields: Pick<R, 'details'> & Partial<R>,
): Promise<R> {
  const now = new Date();
  const record = { ...fields, _id: operationId ?? randomUUID(), organizationId, createdAt: now, updatedAt: now };
  return insertOrFind<R>(model, record as unknown as R);
}

export const findRecord = <R extends CatalogRecord<unknown>>(
  model: Model<R>,
  organizationId: string,
  id: string,
): Promise<R | null> => model.findOne({ organizationId, _id: id }).lean<R>().exec();

export const listRecords = <R extends CatalogRecord<unknown>>(
  model: Model<R>,
  organizationId: string,
  limit: number,
): Promise<R[]> => newest<R>(model, { organizationId }, { limit });

/** Those of `ids` that are the organisation's: another's id is absent like an unknown one. */
export const resolveRecords = async <R extends CatalogRecord<unknown>>(
  model: Model<R>,
  organizationId: string,
  ids: readonly string[],
): Promise<R[]> =>
  ids.length === 0
    ? []
    : model
        .find({ organizationId, _id: { $in: [...new Set(ids)] } })
        .lean<R[]>()
        .exec();
