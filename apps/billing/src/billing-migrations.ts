import { dropIndex, dropUniqueIndex, type AnyBulkWriteOperation, type Db, type Migration } from '@invoicing/mongo';
import { enterPayments } from './account/enter-payments-store';
import { firstLookAt, type InvoiceDocument } from './invoices/invoice-store';

const BATCH = 500;
const DAY_MS = 86_400_000;

interface OldPayment {
  readonly _id: string;
  readonly organizationId?: string;
}

/** What brings a store of the versions before up to this one, in order. */
export const billingMigrations: readonly Migration[] = [
  {
    // The new index first: numbers are unique at every moment. Tokens have an index without `unique`, and the name of the old one.
    name: 'unique-by-organization',
    run: async (db) => {
      const invoices = db.collection('invoices');
      const name = 'organization_series_seq';
      await invoices.createIndex({ organizationId: 1, series: 1, seq: 1 }, { unique: true, name });
      const credited = { 'credited.invoiceId': 1, creditOrdinal: 1 } as const;
      const partialFilterExpression = { creditOrdinal: { $gt: 0 } };
      await invoices.createIndex({ organizationId: 1, ...credited }, { unique: true, partialFilterExpression });
      for (const old of ['series_seq', 'credited.invoiceId_1_creditOrdinal_1']) await dropIndex(db, 'invoices', old);
      await dropUniqueIndex(db, 'invoices', 'publicToken_1');
    },
  },
  { name: 'payments-know-their-organization', run: nameOwnersOfPayments },
  { name: 'payments-are-entries', run: enterPayments },
  { name: 'invoices-are-looked-at-when-due', run: lookAtInvoicesToCome },
];

/** A payment was found by its invoice's id alone. */
async function nameOwnersOfPayments(db: Db): Promise<void> {
  const payments = db.collection<OldPayment>('payments');
  const invoices = db.collection<{ _id: string; organizationId: string }>('invoices');
  for (;;) {
    const found = await payments
      .find({ organizationId: { $exists: false } }, { projection: { _id: 1 }, limit: BATCH })
      .toArray();
    if (found.length === 0) break;
    const paid = { _id: { $in: found.map(({ _id }) => _id) } };
    const owners = await invoices.find(paid, { projection: { organizationId: 1 } }).toArray();
    if (owners.length < found.length) throw new Error('a payment names an invoice that is not there');
    await payments.bulkWrite(
      owners.map(({ _id, organizationId }) => ({
        updateOne: { filter: { _id }, update: { $set: { organizationId } } },
      })),
      { ordered: false },
    );
  }
  await dropIndex(db, 'payments', 'payment.provider_1_payment.id_1');
}

/** Those whose due date is still to pass: what was overdue before anybody could ask for the event is not told. */
async function lookAtInvoicesToCome(db: Db): Promise<void> {
  const invoices = db.collection<InvoiceDocument>('invoices');
  // Whose day has not ended everywhere on earth, too.
  const since = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const toCome = { kind: 'invoice', dueDate: { $gte: since }, dueAt: { $exists: false } } as const;
  const shown = { projection: { organizationId: 1, kind: 1, dueDate: 1, prepayment: 1, totals: 1 } } as const;
  let batch: AnyBulkWriteOperation<InvoiceDocument>[] = [];
  const write = async (): Promise<void> => {
    if (batch.length > 0) await invoices.bulkWrite(batch, { ordered: false });
    batch = [];
  };
  for await (const { organizationId, _id, ...invoice } of invoices.find(toCome, shown)) {
    const dueAt = firstLookAt(invoice);
    if (dueAt) batch.push({ updateOne: { filter: { organizationId, _id }, update: { $set: { dueAt } } } });
    if (batch.length === BATCH) await write();
  }
  await write();
}
