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
  readonly totalLabel: string;
  readonly statusLabel: string;
  readonly paid: string;
  readonly button: string;
  readonly linkHint: string;
  readonly attached: string;
  readonly closing: string;
  /** On mail of a test organisation. */
  readonly testNotice: string;
}

/** What the sentences are about; amounts and days as they are read. */
export interface MailFacts {
  readonly isCredit: boolean;
  readonly isPaid: boolean;
  readonly number: string;
  readonly seller: string;
  /** Of the buyer; may be empty. */
  readonly name: string;
  /** Number of the invoice that a credit note credits. */
  readonly credited: string;
  readonly total: string;
  readonly dueDate: string;
}
