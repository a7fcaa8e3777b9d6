import { MongoBulkWriteError, type Collection, type Db, type WriteError } from 'mongodb';
import { AppError } from '@invoicing/errors';
import { outboxIndex, type OutboxEntry } from '@invoicing/events';
import { numberingBatchSize } from '@invoicing/telemetry';
import type { IssuedInvoice } from './issued-invoice';
import type { InsertOutcome, SeriesStore } from '../numbering/number-series';
import type { Invoices } from './invoice-ports';
import { invoiceIssued } from '../billing-events';
import { createNewestIndexes, newestFirst } from './newest-store';

/** Inserted once, never updated: only `outbox`, which is transport state and no part of the invoice, is emptied as events settle. */
export type InvoiceDocument = IssuedInvoice & { outbox?: OutboxEntry[] };

// What is read back is what was sealed.
const SEALED = { projection: { outbox: 0 } };
const NUMBER_INDEX = 'series_seq';
const DUPLICATE_KEY = 11000;

export async function invoiceCollection(db: Db): Promise<Collection<InvoiceDocument>> {
  const collection = db.collection<InvoiceDocument>('invoices');
  await collection.createIndex({ series: 1, seq: 1 }, { unique: true, name: NUMBER_INDEX });
  await collection.createIndex({ publicToken: 1 }, { unique: true });
  await collection.createIndex(
    { 'credited.invoiceId': 1, creditOrdinal: 1 },
    { unique: true, partialFilterExpression: { creditOrdinal: { $gt: 0 } } },
  );
  await createNewestIndexes(collection, {});
  await collection.createIndex(...outboxIndex);
  return collection;
}

export const mongoInvoices = (collection: Collection<InvoiceDocument>): Invoices => ({
  find: (organizationId, id) => collection.findOne({ _id: id, organizationId }, SEALED),
  findAny: (id) => collection.findOne({ _id: id }, SEALED),
  findByToken: (publicToken) => collection.findOne({ publicToken }, SEALED),
  creditNotesOf: (invoiceId) =>
    collection
      .find({ 'credited.invoiceId': invoiceId, creditOrdinal: { $gt: 0 } }, SEALED)
      .sort({ creditOrdinal: 1 })
      .toArray(),
  newest: (organizationId, profileId, limit) => newestFirst(collection, { organizationId }, profileId, limit).toArray(),
  inSeriesOrder: async function* (profileIds) {
    // Names of series begin with the profile's id and a slash; '0' is the character after it.
    const ranges = profileIds?.map((id) => ({ series: { $gte: `${id}/`, $lt: `${id}0` } })) ?? [{}];
    for (const range of ranges) yield* collection.find(range, SEALED).sort({ series: 1, seq: 1 });
  },
});

/** The store of the number series. Connection-wide: writes majority and journaled, reads of majority-committed data. */
export const mongoSeriesStore = (
  collection: Collection<InvoiceDocument>,
  onEvents: () => void,
): SeriesStore<IssuedInvoice> => ({
  tail: async (series) => {
    const last = await collection.findOne({ series }, { sort: { seq: -1 }, projection: { seq: 1, hash: 1 } });
    return last ?? { seq: 0, hash: '' };
  },
  countUpTo: (series, seq) => collection.countDocuments({ series, seq: { $lte: seq } }),
  find: (id) => collection.findOne({ _id: id }, SEALED),
  insert: async (invoices) => {
    try {
      await collection.insertMany(
        invoices.map((invoice) => ({ ...invoice, outbox: [invoiceIssued(invoice)] })),
        { ordered: true },
      );
      numberingBatchSize.observe(invoices.length);
      return { inserted: invoices.length };
    } catch (error) {
      return await refusalOf(error, collection, invoices);
    } finally {
      // What came before a refusal, or of an unknown outcome, may be there too.
      onEvents();
    }
  },
});

/** A refusal by a unique index says what came before it; anything else is an unknown outcome, thrown on. */
async function refusalOf(
  error: unknown,
  collection: Collection<InvoiceDocument>,
  invoices: readonly IssuedInvoice[],
): Promise<InsertOutcome> {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const refusal = [error.writeErrors].flat()[0];
  if (refusal?.code !== DUPLICATE_KEY) throw error;
  const refused = refusedBy(refusal) ?? (await takenOf(collection, invoices[refusal.index]!));
  if (refused !== 'other') return { inserted: refusal.index, refused };
  const conflict = new AppError('conflict', 'conflict', 'the invoice was credited at the same time', { cause: error });
  return { inserted: refusal.index, refused, error: conflict };
}

type Refused = NonNullable<InsertOutcome['refused']>;

/**
 * Which index refused, from what the server says of it: its name, which the driver keeps only in the message
 * ("… index: series_seq dup key: …"), or its fields. Undefined when neither is understood: no promise holds for a wording.
 */
function refusedBy(refusal: WriteError): Refused | undefined {
  const name = /index: (\S+)/.exec(refusal.errmsg ?? '')?.[1];
  if (name === '_id_') return 'id';
  if (name === NUMBER_INDEX) return 'number';
  const { keyPattern } = refusal.err as { keyPattern?: Record<string, unknown> };
  if (!keyPattern) return undefined;
  const fields = Object.keys(keyPattern).join();
  return fields === '_id' ? 'id' : fields === 'series,seq' ? 'number' : 'other';
}

/** What of an invoice that was refused is there already, read back. */
async function takenOf(collection: Collection<InvoiceDocument>, invoice: IssuedInvoice): Promise<Refused> {
  const { _id, series, seq } = invoice;
  const fields = { projection: { _id: 1 } };
  if (await collection.findOne({ _id }, fields)) return 'id';
  return (await collection.findOne({ series, seq }, fields)) ? 'number' : 'other';
}
