/** Every sentence of the invoice mail, in one language. Plain text: the templates escape it. */
export interface InvoiceMailTexts {
  readonly language: 'nl' | 'en' | 'de' | 'fr';
  readonly subject: string;
  readonly preheader: string;
  readonly greeting: string;
  readonly intro: string;
  readonly numberLabel: string;
  readonly issuedLabel: string;
  readonly dueLabel: string;
  readonly referenceLabel: string;
  /** Why something is credited. */
  readonly reasonLabel: string;
  readonly periodLabel: string;
  readonly totalLabel: string;
  /** Beside what is open, where that is not the total. */
  readonly openLabel: string;
  readonly statusLabel: string;
  /** Of an invoice that asks for nothing; empty otherwise. */
  readonly status: string;
  readonly button: string;
  readonly linkHint: string;
  readonly attached: string;
  readonly closing: string;
}

/** Where the document stands for its reader; `settled` asks for nothing without having been paid: credited, written off, or of nothing. */
export type MailState = 'credit' | 'open' | 'paid' | 'settled';

/** What the sentences are about; amounts and days as they are read. */
export interface MailFacts {
  readonly state: MailState;
  readonly number: string;
  readonly seller: string;
  /** Of the buyer; may be empty. */
  readonly name: string;
  /** Number of the invoice that a credit note credits. */
  readonly credited: string;
  readonly total: string;
  /** What is still to be paid; empty where that is the total, or nothing. */
  readonly open: string;
  readonly dueDate: string;
}
