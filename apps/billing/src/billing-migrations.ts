import { dropIndex, dropUniqueIndex, type Db, type Migration } from '@invoicing/mongo';
import { enterPayments } from './account/enter-payments-store';

const BATCH = 500;

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
