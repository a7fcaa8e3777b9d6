import { amountDueCents, type FrozenInvoice } from '../../invoices/invoice';
import { formatMoney } from '@invoicing/design';
import { WORDING } from './wording';

/** What becomes of a credit note's amount: it is given back, or is to be paid where a discount was taken back and it is below zero. */
export function creditSentence(
  invoice: Pick<FrozenInvoice, 'totals' | 'prepayment' | 'language' | 'credited'>,
): string {
  const words = WORDING[invoice.language];
  const due = amountDueCents(invoice);
  if (due >= 0) return words.refund;
  return words.creditBelowZero(formatMoney(-due, invoice.language), invoice.credited?.number ?? '');
}
