import { businessDate } from '../../invoices/business-date';
import type { FrozenInvoice, InvoicePayment } from '../../invoices/invoice';
import type { SheetAccount } from './sheet-source';

/**
 * What a sheet says of an invoice's payment; undefined while the document as it was issued still says all there is: nothing was paid
 * since, and its term has not passed.
 */
export function sheetAccount(
  { kind, totals, dueDate, prepayment }: FrozenInvoice,
  payment: InvoicePayment | null,
  { today, timezone }: { readonly today: string; readonly timezone: string },
): SheetAccount | undefined {
  const isPrepaid = prepayment !== undefined && (payment === null || payment.id === prepayment.id);
  if (kind === 'credit_note' || isPrepaid || (!payment && (today <= dueDate || totals.inclCents <= 0)))
    return undefined;
  if (!payment) return { openCents: totals.inclCents, entries: [], today };
  const { method, amountCents } = payment;
  const date = businessDate(payment.paidAt, timezone);
  return {
    openCents: totals.inclCents - amountCents,
    entries: [{ kind: 'payment', date, settlesCents: amountCents, method }],
    today,
  };
}
