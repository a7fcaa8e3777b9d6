import type { Collection, Db } from 'mongodb';
import { outboxIndex, type OutboxEntry } from '@invoicing/events';
import type { InvoicePayment } from '../invoices/invoice';
import type { Payments } from '../invoices/invoice-ports';
import { invoicePaid } from '../billing-events';
import { insertOnce } from '../organizations/organization-store';

/** The payment of an invoice, kept apart from its frozen part; `_id` is the invoice's, so there is one. */
export interface PaymentDocument {
  readonly _id: string;
  readonly payment: InvoicePayment;
  readonly outbox?: OutboxEntry[];
}

export async function paymentCollection(db: Db): Promise<Collection<PaymentDocument>> {
  const collection = db.collection<PaymentDocument>('payments');
  // One payment at the provider pays one invoice.
  await collection.createIndex({ 'payment.provider': 1, 'payment.id': 1 }, { unique: true });
  await collection.createIndex(...outboxIndex);
  return collection;
}

export const mongoPayments = (
  collection: Collection<PaymentDocument>,
  now: () => Date,
  onEvents: () => void,
): Payments => ({
  find: async (invoiceId) => (await collection.findOne({ _id: invoiceId }))?.payment ?? null,
  paidAmong: async (invoiceIds) => {
    if (invoiceIds.length === 0) return new Set();
    const paid = await collection.find({ _id: { $in: [...invoiceIds] } }, { projection: { _id: 1 } }).toArray();
    return new Set(paid.map(({ _id }) => _id));
  },
  insert: async (invoice, payment) => {
    const outbox = [invoicePaid(invoice, payment, now())];
    const isFirst = await insertOnce(() => collection.insertOne({ _id: invoice._id, payment, outbox }));
    if (isFirst) onEvents();
    return isFirst;
  },
});
