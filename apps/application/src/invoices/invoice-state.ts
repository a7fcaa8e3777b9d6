import { InvoiceKind, InvoiceStatus } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { AccountState } from '@invoicing/contracts/invoicing/billing/v1/account';
import type { Cell } from '../pages/blocks';
import type { Texts } from '../pages/texts';

/** What decides how an invoice stands. */
export interface Standing {
  readonly status: InvoiceStatus;
  readonly kind: InvoiceKind;
  readonly openCents: number;
  /** Of its account, where that is known. */
  readonly state?: AccountState | undefined;
  /** ISO; absent: not known here. */
  readonly dueDate?: string;
}

/** Overdue is derived, never stored. `today` is the organisation's, as ISO. */
const isOverdue = ({ status, kind, openCents, dueDate }: Standing, today: string): boolean =>
  status === InvoiceStatus.SENT &&
  kind === InvoiceKind.INVOICE &&
  openCents > 0 &&
  dueDate !== undefined &&
  dueDate !== '' &&
  dueDate < today;

/** In a word, for people. */
export function stateCell(standing: Standing, today: string, t: Texts): Cell {
  const { status, kind, openCents, state } = standing;
  if (status === InvoiceStatus.DRAFT) return { text: t.stateDraft, tone: 'plain' };
  if (kind === InvoiceKind.CREDIT_NOTE) return { text: t.stateCredit, tone: 'plain' };
  if (state === AccountState.OVERPAID) return { text: t.stateOverpaid, tone: 'warning' };
  if (status === InvoiceStatus.PAID) return { text: t.statePaid, tone: 'good' };
  if (openCents === 0) return { text: t.stateSettled, tone: 'plain' };
  if (isOverdue(standing, today)) return { text: t.stateOverdue, tone: 'bad' };
  if (state === AccountState.PARTLY_PAID) return { text: t.statePartly, tone: 'warning' };
  return { text: t.stateSent, tone: 'warning' };
}
