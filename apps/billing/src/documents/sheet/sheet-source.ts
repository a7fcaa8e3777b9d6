import type { FrozenInvoice } from '../../invoices/invoice';

/** What happened to an invoice after it was issued. */
export interface AccountEntry {
  readonly kind: 'payment' | 'refund' | 'chargeback' | 'credit_note' | 'write_off' | 'reversal' | 'move';
  /** YYYY-MM-DD in the organisation's time zone. */
  readonly date: string;
  /** What it takes off the open amount; negative where it adds to it. */
  readonly settlesCents: number;
  /** The provider's method id; empty when unknown. */
  readonly method?: string;
  /** Number of the credit note. */
  readonly number?: string;
}

export interface SheetAccount {
  /** Still to be paid; negative when too much was paid. */
  readonly openCents: number;
  /** In the order of their days. */
  readonly entries: readonly AccountEntry[];
  /** YYYY-MM-DD in the organisation's time zone: whether it is overdue depends on it. */
  readonly today: string;
}

/** The sheet of a letter that reminds. */
export interface ReminderSheet {
  readonly title: string;
  readonly text: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly openCents: number;
  /** Asked for beside what is open; those of 0 are not shown. */
  readonly extras: readonly { readonly label: string; readonly cents: number }[];
  /** Words for all of it. */
  readonly sumLabel: string;
}

/** What a sheet is made from: the frozen document, and beside it what is known of it since. */
export interface SheetSource {
  readonly invoice: FrozenInvoice;
  /** Absent: the document as it was issued, whatever happened since. */
  readonly account?: SheetAccount;
  /** A document of a test organisation; nobody has to pay it. */
  readonly isTest?: boolean;
  /** What a reminder asks for: a sheet of its own, before the document. */
  readonly reminder?: ReminderSheet;
  /** Shown to its maker before it is issued; it has no number. */
  readonly isDraft?: boolean;
}
