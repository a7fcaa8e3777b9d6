import type { FrozenInvoice, InvoicePayment } from '../../invoices/invoice';

export type PaymentStatus = 'open' | 'overdue' | 'paid' | 'settled' | 'credit';

/** Where a document stands for its payer; overdue is derived from the organisation's "today" (YYYY-MM-DD), never stored. */
export function paymentStatus(
  invoice: FrozenInvoice,
  payment: Pick<InvoicePayment, 'paidAt'> | null,
  today: string,
): PaymentStatus {
  if (invoice.kind === 'credit_note') return 'credit';
  if (payment || invoice.prepayment) return 'paid';
  if (invoice.totals.inclCents <= 0) return 'settled';
  return today > invoice.dueDate ? 'overdue' : 'open';
}
