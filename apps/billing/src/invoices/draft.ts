import type { DocumentTerms } from './document-terms';
import type { FrozenInvoice, Line, RoundingTrace, Totals } from './invoice';

/** What a document says before it is issued. */
export interface DraftContent extends DocumentTerms {
  readonly profileId: string;
  readonly customerId: string;
  readonly lines: readonly Line[];
  readonly totals: Totals;
  /** Where prices include VAT. */
  readonly roundingTrace?: readonly RoundingTrace[] | null;
  /** As given; null: the day on which it is issued. */
  readonly issueDate: string | null;
  /** As given; null: 14 days after the issue date. */
  readonly dueDate: string | null;
  /** Also post it as a letter when it is issued. */
  readonly post: boolean;
  readonly checkoutId: string | null;
  /** Refuse to issue what makes no valid e-invoice. */
  readonly requireEInvoice: boolean;
  /** As asked for; null, or absent on drafts from before it was kept: the customer's, else of their country. */
  readonly language?: FrozenInvoice['language'] | null;
}

/**
 * A draft. It stays as a closed record once issued or deleted, so that a late repeat of its creation meets its id.
 */
export type Draft = DraftContent & {
  readonly _id: string;
  readonly organizationId: string;
  readonly publicToken: string;
  readonly createdAt: Date;
  /** `issuing` is set before its number is given, and fixes the content; it is shown as a draft. */
  readonly state: 'draft' | 'issuing' | 'issued' | 'deleted';
  /** Counts the changes: what is issued is what was checked. */
  readonly revision: number;
  /** Shown in lists: draft or issuing. */
  readonly open: boolean;
};
