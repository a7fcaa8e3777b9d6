import type { RecordedAs } from '../invoices/invoice-ports';
import type { Party } from '../invoices/invoice';
import type { Actor } from '@invoicing/rules';

/** Days of the books that are or were closed, and what makes their exports the same file every time. */
export interface ClosedPeriod {
  /** UUID, of the organisation and the days: closing them again is the same period. */
  readonly _id: string;
  readonly organizationId: string;
  /** YYYY-MM-DD. */
  readonly from: string;
  /** YYYY-MM-DD. */
  readonly to: string;
  readonly closedAt: Date;
  readonly closedBy: Actor;
  /** YYYY-MM-DD: the day that its exports say they were made on. */
  readonly closedOn: string;
  /** As it was then: a later change of address changes no file of these days. */
  readonly seller: Party;
  /** Of the audit file (XAF 4.0) of exactly these days, hex. */
  readonly sha256: string;
  /** How many bookings that file holds. */
  readonly count: number;
  /** Why it was opened again; null while it is closed. */
  readonly reopenedBecause: string | null;
  readonly revision?: number | undefined;
}

export interface ClosedPeriods {
  find: (organizationId: string, id: string) => Promise<ClosedPeriod | null>;
  /** Newest first. */
  list: (organizationId: string) => Promise<ClosedPeriod[]>;
  /** The one of exactly these days, else the earliest that reaches their last; of those that are closed. */
  covering: (organizationId: string, days: { from: string; to: string }) => Promise<ClosedPeriod | null>;
  /** Or answers the one with its id that is there already. */
  insert: (period: ClosedPeriod, as: RecordedAs) => Promise<ClosedPeriod>;
  /** Throws `revision_conflict` when it is not as it was `seen`. */
  change: (seen: ClosedPeriod, fields: Partial<ClosedPeriod>, as: RecordedAs) => Promise<ClosedPeriod>;
}
