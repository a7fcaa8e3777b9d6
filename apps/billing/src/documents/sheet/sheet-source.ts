import type { FrozenInvoice, Line } from '../../invoices/invoice';

/** A line as a sheet can show it; what an older document does not know is absent. */
export interface SheetLine extends Line {
  /** Basis points taken off the line: 1000 is 10 %. */
  readonly discountBps?: number;
  /** Amount of the line including VAT, on documents whose prices include it. */
  readonly grossCents?: number;
}

export type SheetInvoice = Omit<FrozenInvoice, 'lines'> & {
  readonly lines: readonly SheetLine[];
  /** The buyer's own reference (BT-13, BT-10). */
  readonly reference?: string;
  readonly note?: string;
  /** Days as YYYY-MM-DD, both included (BG-14). */
  readonly period?: { readonly from: string; readonly to: string };
  readonly pricesIncludeVat?: boolean;
};

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

/** What a sheet is made from: the frozen document, and beside it what is known of it since. */
export interface SheetSource {
  readonly invoice: SheetInvoice;
  /** Absent: the document as it was issued, whatever happened since. */
  readonly account?: SheetAccount;
  /** A document of a test organisation; nobody has to pay it. */
  readonly isTest?: boolean;
  /** Shown to its maker before it is issued; it has no number. */
  readonly isDraft?: boolean;
}
