import { factsOf } from '../../account/account';
import type { CreditApplied, Entry, PaymentEntry } from '../../account/entry';
import { openAmount } from '../../account/open-amount';
import type { FrozenInvoice } from '../../invoices/invoice';
import type { ShownAccount } from '../sheet/sheet-account';

/** The account of an invoice that these entries and credit notes were recorded on. */
export const sampleAccount = (
  invoice: FrozenInvoice,
  entries: readonly Entry[] = [],
  credits: readonly CreditApplied[] = [],
): ShownAccount => ({ entries, credits, now: openAmount(factsOf(invoice, credits, entries)) });

/** A payment by iDEAL of all that the invoice asks for, on 1 December 2026 in Amsterdam. */
export const samplePayment = (invoice: FrozenInvoice, changes: Partial<PaymentEntry> = {}): PaymentEntry => ({
  _id: '4c9b7a16-0d2e-4f3a-9b58-1e2d3c4b5a01',
  organizationId: invoice.organizationId,
  invoiceId: invoice.id,
  ordinal: 1,
  creditsSeen: 0,
  amountCents: invoice.totals.inclCents,
  date: '2026-12-01',
  at: new Date('2026-11-30T23:31:00Z'),
  by: { kind: 'service', id: 'checkout' },
  operationId: '4c9b7a16-0d2e-4f3a-9b58-1e2d3c4b5a02',
  type: 'payment',
  provider: 'sandbox',
  method: 'ideal',
  paymentId: 'tr_1',
  reference: '',
  note: '',
  paidAt: new Date('2026-11-30T23:30:00Z'),
  checkoutId: null,
  surplusCents: 0,
  settles: true,
  ...changes,
});
