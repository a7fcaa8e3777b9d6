import type { IssuedInvoice } from '../invoices/issued-invoice';
import type { Call } from '../invoices/invoice-ports';
import type { Entry } from './entry';
import type { MoneyEntry } from './money-by-month';
import type { EntryFact, OpenAmount } from './open-amount';

/** The entries of all accounts: only ever inserted. Reads see durable data only. */
export interface Accounts {
  /** In the order of their places. */
  entriesOf: (invoice: Pick<IssuedInvoice, '_id' | 'organizationId'>) => Promise<Entry[]>;
  /** What the fold reads, of many accounts at once; invoices without entries are left out. */
  factsAmong: (
    organizationId: string,
    invoiceIds: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly EntryFact[]>>;
  /** Those dated on this day (YYYY-MM-DD) or later, newest first, at most so many. */
  moneySince: (organizationId: string, from: string, limit: number) => Promise<MoneyEntry[]>;
  find: (organizationId: string, entryId: string) => Promise<Entry | null>;
  /** Whose it is; for operators, who name an entry by its id alone. */
  organizationOf: (entryId: string) => Promise<string | undefined>;
  /**
   * The entry with its events, in one write; false when its id or its place is taken, so that whoever decided on an older state decides
   * again. `dueAt`: when somebody else goes on with what follows it, should its writer not.
   */
  insert: (invoice: IssuedInvoice, entry: Entry, after: OpenAmount, dueAt?: Date) => Promise<boolean>;
  /** Takes the entry whose next step is due longest, so that no other replica takes it before `leaseUntil`. */
  claimDue: (now: Date, leaseUntil: Date) => Promise<Entry | null>;
  /** Everything that follows an entry has been done. */
  followedUp: (organizationId: string, entryId: string) => Promise<void>;
  postpone: (organizationId: string, entryId: string, dueAt: Date) => Promise<void>;
}

/** A refund that a provider is to do. */
export interface ProviderRefund {
  readonly organizationId: string;
  readonly invoiceId: string;
  /** The session that the payment was made in; null: it was paid from the invoice's page. */
  readonly checkoutId: string | null;
  readonly entryId: string;
  readonly provider: string;
  readonly paymentId: string;
  readonly amountCents: number;
}

/** Taken over by the provider, which has an id for it; or refused for good. */
export type RefundOutcome = { readonly providerId: string } | { readonly refused: string };

/** Who has the payment providers. */
export interface Cashier {
  /**
   * Has a provider give money of a payment back, once for each entry, and answers what became of it. Throws when nobody knows: asking
   * again is safe, and is the only way to learn it.
   */
  refund: (refund: ProviderRefund, call: Call) => Promise<RefundOutcome>;
}
