import { outboxField, outboxIndex, type OutboxEntry } from '@invoicing/events';
import {
  declareCollection,
  embedded,
  insertOnce,
  nativeCollection,
  openCollection,
  required,
  type Connection,
  type Model,
} from '@invoicing/mongo';
import type { InvoicePayment } from '../invoices/invoice';
import type { Payments } from '../invoices/invoice-ports';
import { invoicePaid } from '../billing-events';

/** The payment of an invoice, kept apart from its frozen part; `_id` is the invoice's, so there is one. */
export interface PaymentDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly payment: InvoicePayment;
  readonly outbox?: OutboxEntry[];
}

export const paymentCollection = declareCollection<PaymentDocument>('payments', {
  shardKey: { organizationId: 1 },
  fields: {
    organizationId: required(String),
    payment: required(
      embedded<InvoicePayment>({
        provider: required(String),
        method: required(String),
        id: required(String),
        paidAt: required(Date),
        amountCents: required(Number),
        checkoutId: String,
      }),
    ),
    outbox: outboxField,
  },
  indexes: [
    // One payment at the provider pays one invoice.
    [{ organizationId: 1, 'payment.provider': 1, 'payment.id': 1 }, { unique: true }],
    outboxIndex,
  ],
});

export const openPayments = (connection: Connection): Promise<Model<PaymentDocument>> =>
  openCollection(connection, paymentCollection);

export const mongoPayments = (model: Model<PaymentDocument>, now: () => Date, onEvents: () => void): Payments => {
  const native = nativeCollection(model);
  return {
    find: async (organizationId, invoiceId) =>
      (await native.findOne({ organizationId, _id: invoiceId }))?.payment ?? null,
    paidAmong: async (organizationId, invoiceIds) => {
      if (invoiceIds.length === 0) return new Set();
      const among = { organizationId, _id: { $in: [...invoiceIds] } };
      const paid = await native.find(among, { projection: { _id: 1 } }).toArray();
      return new Set(paid.map(({ _id }) => _id));
    },
    insert: async (invoice, payment) => {
      const { _id, organizationId } = invoice;
      const outbox = [invoicePaid(invoice, payment, now())];
      const isFirst = await insertOnce(native, { _id, organizationId, payment, outbox });
      if (isFirst) onEvents();
      return isFirst;
    },
  };
};
