import { v5 as uuidv5 } from 'uuid';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { outboxEntry, type OutboxEntry } from '@invoicing/events';
import type { InvoicePayment } from './invoices/invoice';
import type { IssuedInvoice } from './invoices/issued-invoice';

const SOURCE = 'billing';
// Ours alone, so that no id of another kind can be the same.
const NAMESPACE = '0f1d5c0e-6a3b-5b0e-9c55-3a8f0a5f4c1d';

const common = (invoice: IssuedInvoice) => ({
  invoiceId: invoice._id,
  number: invoice.number,
  publicToken: invoice.publicToken,
  totalInclCents: invoice.totals.inclCents,
  currency: invoice.currency,
  customerId: invoice.customerId,
});

/** The ids of events come from the invoice's, so that however often a write is tried there is one of each. */
const entry = (invoice: IssuedInvoice, type: string, occurredAt: Date, payload: Partial<Event>): OutboxEntry =>
  outboxEntry(
    Event.fromPartial({
      id: uuidv5(`${type}:${invoice._id}`, NAMESPACE),
      type,
      occurredAt,
      organizationId: invoice.organizationId,
      source: SOURCE,
      ...payload,
    }),
  );

export const invoiceIssued = (invoice: IssuedInvoice): OutboxEntry =>
  entry(invoice, 'invoice.issued', invoice.issuedAt, { invoiceIssued: { ...common(invoice), ...invoice.delivery } });

export const invoicePaid = (invoice: IssuedInvoice, payment: InvoicePayment, now: Date): OutboxEntry =>
  entry(invoice, 'invoice.paid', now, {
    invoicePaid: {
      ...common(invoice),
      checkoutId: payment.checkoutId ?? undefined,
      provider: payment.provider,
      method: payment.method,
      paymentId: payment.id,
      paidAt: payment.paidAt,
      amountCents: payment.amountCents,
    },
  });
