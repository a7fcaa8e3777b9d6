import type { AccountPorts } from '../billing-ports';
import type { BankLines } from '../bank-statements/bank-ports';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import type { Claim } from './reminder-plan';
import type { KeptPlan, Reminder, ReminderException } from './reminder';

/** What becomes of a reminder that is due. */
export type ReminderChange =
  | { readonly state: 'due'; readonly dueAt: Date; readonly asked?: { readonly claim: Claim } }
  | { readonly state: 'sent'; readonly sentAt: Date }
  | { readonly state: 'failed' | 'withdrawn'; readonly why: NonNullable<Reminder['why']> };

/** All reminders: each is inserted once, and changes only while it is due. */
export interface Reminders {
  /** False when there is one of this step already. */
  insert: (reminder: Reminder) => Promise<boolean>;
  find: (organizationId: string, id: string) => Promise<Reminder | null>;
  ofInvoice: (organizationId: string, invoiceId: string) => Promise<Reminder[]>;
  /** Only while it is due; that it was sent is told in the same write. */
  change: (seen: Reminder, to: ReminderChange, issued: IssuedInvoice) => Promise<boolean>;
  page: (
    organizationId: string,
    filter: { readonly invoiceId?: string | undefined },
    wanted: { readonly limit: number; readonly cursor?: string | undefined },
  ) => Promise<{ readonly items: Reminder[]; readonly next?: string }>;
  /** Takes a due one, so that no other replica takes it before `leaseUntil`; of one organisation when it is named. */
  claimDue: (now: Date, leaseUntil: Date, organizationId?: string) => Promise<Reminder | null>;
}

export interface ReminderPlans {
  /** The organisation's, and those of its profiles. */
  of: (organizationId: string) => Promise<KeptPlan[]>;
  put: (plan: KeptPlan) => Promise<void>;
  /** Organisations with a plan that is on. */
  organizations: () => Promise<string[]>;
  claimDue: (now: Date, leaseUntil: Date) => Promise<KeptPlan | null>;
  lookAgain: (organizationId: string, at: Date) => Promise<void>;
}

export interface ReminderExceptions {
  list: (organizationId: string) => Promise<ReminderException[]>;
  put: (exception: ReminderException) => Promise<void>;
  remove: (organizationId: string, id: string) => Promise<void>;
  among: (organizationId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Who sends it. */
export interface ReminderMail {
  /** By its channel, once for each reminder; a repeat answers what happened. `error` is empty when it was sent, and under way. */
  send: (reminder: Reminder) => Promise<{ readonly sent: boolean; readonly error: string }>;
}

/** What the verbs of reminders need. */
export type ReminderPorts = Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now' | 'onError'> & {
  readonly reminders: Reminders;
  readonly reminderPlans: ReminderPlans;
  readonly reminderExceptions: ReminderExceptions;
  readonly reminderMail: ReminderMail;
  readonly bankLines: Pick<BankLines, 'isAsked'>;
  /** Whether a payment of the invoice is begun and neither arrived nor failed. */
  readonly isBeingPaid: (organizationId: string, invoiceId: string) => Promise<boolean>;
};
