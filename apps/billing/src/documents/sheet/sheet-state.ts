import { amountDueCents } from '../../invoices/invoice';
import type { SheetSource } from './sheet-source';

export type SheetState =
  | 'draft'
  | 'credit_note'
  | 'open'
  | 'overdue'
  | 'partly_paid'
  | 'paid'
  | 'overpaid'
  | 'credited'
  /** Never had anything to pay. */
  | 'settled';

/** What the sheet leaves to be paid, in cents; negative when too much was paid. Zero on a credit note. */
export function openCents({ invoice, account }: SheetSource): number {
  if (invoice.kind === 'credit_note') return 0;
  return account ? account.openCents : amountDueCents(invoice);
}

/** Where the document stands for its reader. */
export function sheetState(source: SheetSource): SheetState {
  const { invoice, account, isDraft } = source;
  if (isDraft) return 'draft';
  if (invoice.kind === 'credit_note') return 'credit_note';
  const open = openCents(source);
  const received = receivedCents(source);
  if (open < 0 && received > 0) return 'overpaid';
  if (open <= 0) {
    if (received > 0) return 'paid';
    return account?.entries.some(({ kind }) => kind === 'credit_note') ? 'credited' : 'settled';
  }
  if (account && account.today > invoice.dueDate) return 'overdue';
  return received > 0 ? 'partly_paid' : 'open';
}

/** Money that came in and stayed. */
function receivedCents({ invoice, account }: SheetSource): number {
  const money = new Set(['payment', 'refund', 'chargeback', 'reversal', 'move']);
  const entries = account?.entries.filter(({ kind }) => money.has(kind)) ?? [];
  const prepaid = account ? 0 : (invoice.prepayment?.amountCents ?? 0);
  return entries.reduce((sum, { settlesCents }) => sum + settlesCents, prepaid);
}

/** Whether the sheet tells its reader how to pay. */
export const asksToPay = (source: SheetSource): boolean => {
  const state = sheetState(source);
  return state === 'open' || state === 'overdue' || state === 'partly_paid';
};
