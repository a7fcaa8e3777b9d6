import type { RecordedAs } from '../invoices/invoice-ports';
import type { Subscription } from './subscription';
import type { Ports } from '../billing-ports';

/** Which work a run wants: what is due by the clock, or every period dated by `until` that was not passed over from `since` to `now`. */
export type Wanted =
  | { readonly by: 'clock'; readonly now: Date }
  | { readonly by: 'date'; readonly until: string; readonly since: Date; readonly now: Date };

export interface Claim {
  /** Proves that the claim is still ours when it is finished. */
  readonly lease: string;
  /** All with the same next date: the first one that is wanted. */
  readonly subscriptions: readonly Subscription[];
  /** Nothing was free to take, but somebody else holds such work. */
  readonly held: boolean;
}

/** What became of a claimed subscription. */
export interface Finished {
  readonly subscription: Subscription;
  readonly changes: Partial<Subscription>;
  /** Its period has its invoice: told by the same write. */
  readonly invoiced?: PeriodInvoiced;
}

/** The invoice of a period. */
export interface PeriodInvoiced {
  readonly invoiceId: string;
  /** Otherwise it was left a draft. */
  readonly issued: boolean;
  readonly at: Date;
}

/** Which schedules a list shows. */
export interface SubscriptionsWanted {
  readonly profileId?: string | undefined;
  readonly status?: Subscription['status'] | undefined;
  readonly customerId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface SubscriptionStore {
  /** Or answers the one with its id that is there already. */
  insert: (subscription: Subscription, as: RecordedAs) => Promise<Subscription>;
  find: (organizationId: string, id: string) => Promise<Subscription | null>;
  /** Whose it is; for operators, who name it by its id alone. */
  organizationOf: (id: string) => Promise<string | undefined>;
  /** Newest first; a page ends before its lines weigh too much for one message. */
  page: (
    organizationId: string,
    wanted: SubscriptionsWanted,
  ) => Promise<{ readonly items: readonly Subscription[]; readonly next?: string }>;
  /** Only while revision, status and next occurrence are what was read; null otherwise. */
  change: (read: Subscription, changes: Partial<Subscription>, as: RecordedAs) => Promise<Subscription | null>;
  /** The same, and only while nobody makes an invoice of it; who did lately no longer tells what came of it. */
  changeUnclaimed: (
    read: Subscription,
    changes: Partial<Subscription>,
    as: RecordedAs,
    now: Date,
  ) => Promise<Subscription | null>;
  /** Throws `revision_conflict`, with what changed since, unless the caller has seen the latest, or did not say what it saw. */
  assertSeen: (subscription: Subscription, revision: number | undefined) => Promise<void>;
  /** Takes up to `limit` for `leaseMs`; nobody else takes them meanwhile. */
  claim: (wanted: Wanted, limit: number, leaseMs: number) => Promise<Claim>;
  /** Writes what became of them and lets them go; what is no longer ours, or has moved on, stays as it is. */
  finish: (lease: string, finished: readonly Finished[]) => Promise<void>;
}

/** An invoice that was left as a draft in arrears, to be issued when they end. */
export interface WaitingInvoice {
  readonly _id: string;
  readonly organizationId: string;
  readonly subscriptionId: string;
  readonly date: string;
  readonly email: boolean;
  readonly attempts: number;
  /** Not before; later after a failure that is not the arrears. */
  readonly dueAt: Date;
}

export interface WaitingInvoices {
  /** The same one again changes nothing. */
  add: (waiting: WaitingInvoice) => Promise<void>;
  /** Those of which something is due. */
  organizations: (now: Date) => Promise<string[]>;
  /** What is due, in the order of the dates. */
  of: (organizationId: string, now: Date) => AsyncIterable<WaitingInvoice>;
  postpone: (waiting: WaitingInvoice, attempts: number, dueAt: Date) => Promise<void>;
  remove: (waiting: WaitingInvoice) => Promise<void>;
}

/** How invoices of periods come into being. */
export interface PeriodInvoices {
  /** Makes the invoice of the subscription's next period; the same id again makes nothing new. `waiting`: a draft, for arrears forbid to issue it. */
  make: (subscription: Subscription, invoiceId: string) => Promise<'issued' | 'draft' | 'waiting'>;
  /** Issues a draft, unless it is issued already or gone. */
  issue: (waiting: WaitingInvoice) => Promise<void>;
}

export interface SubscriptionPorts extends Ports {
  readonly subscriptions: SubscriptionStore;
  readonly waiting: WaitingInvoices;
  readonly periodInvoices: PeriodInvoices;
  readonly onRunError: (error: unknown, subscriptionId: string) => void;
}
