import { nativeCollection, type Model } from '@invoicing/mongo';
import type { EntryDocument } from '../account/account-store';
import type { Entry } from '../account/entry';
import type { Draft } from '../invoices/draft';
import type { InvoiceDocument } from '../invoices/invoice-store';
import type { Booked, Books } from './export-ports';

const BATCH = 500;
const MOST_DRAFTS = 100;
const STORED = { outbox: 0, dueAt: 0 } as const;
const BOOKED = { number: 1, customerId: 1, buyer: 1 } as const;

/** Reads the books by cursors, in the order of an index: no more than a batch is ever here. */
export function mongoBooks(
  invoiceModel: Model<InvoiceDocument>,
  entryModel: Model<EntryDocument>,
  draftModel: Pick<Model<Draft>, 'find'>,
): Books {
  const invoices = nativeCollection(invoiceModel);
  const entries = nativeCollection(entryModel);
  return {
    documents: (organizationId, { from, to }, asOf) =>
      invoices
        .find(
          { organizationId, issueDate: { $gte: from, $lte: to }, ...(asOf && { issuedAt: { $lte: asOf } }) },
          { projection: STORED },
        )
        .sort({ issueDate: 1, createdAt: 1, _id: 1 })
        .batchSize(BATCH),
    entries: (organizationId, { from, to }, asOf) =>
      entries
        .find({ organizationId, date: { $gte: from, $lte: to }, at: { $lte: asOf } }, { projection: STORED })
        .sort({ date: 1, _id: 1 })
        .batchSize(BATCH) as AsyncIterable<Entry>,
    invoicesOf: async (organizationId, invoiceIds) => {
      const among = { organizationId, _id: { $in: [...invoiceIds] } };
      const found = await invoices.find(among).project<Booked & { _id: string }>(BOOKED).toArray();
      return new Map(found.map(({ _id, ...booked }) => [_id, booked]));
    },
    entriesOf: async (organizationId, entryIds) => {
      if (entryIds.length === 0) return new Map();
      const among = { organizationId, _id: { $in: [...entryIds] } };
      const found = (await entries.find(among, { projection: STORED }).toArray()) as Entry[];
      return new Map(found.map((entry) => [entry._id, entry]));
    },
    draftsDated: async (organizationId, { from, to }) => {
      const dated = { organizationId, open: true, issueDate: { $gte: from, $lte: to } };
      const found = await draftModel.find(dated, { _id: 1 }).limit(MOST_DRAFTS).lean<{ _id: string }[]>().exec();
      return found.map(({ _id }) => _id);
    },
  };
}
