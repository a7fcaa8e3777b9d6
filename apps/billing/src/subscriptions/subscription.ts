import type { DocumentTerms } from '../invoices/document-terms';
import type { Period as SupplyPeriod } from '../invoices/invoice';
import type { LineInput } from '../invoices/price-lines';
import { addDays } from '../invoices/business-date';
import { firstIndexFrom, occurrenceDate, type Schedule } from './recurrence';

/** Periods from `from` up to but not including `until` are skipped. */
export interface Pause {
  readonly from: string;
  readonly until: string;
}

/** What a subscription says of its invoices; fixed at creation. */
export interface SubscriptionTerms extends Schedule {
  readonly customerId: string;
  readonly profileId: string;
  /** Issue and e-mail each invoice. */
  readonly autoSendEmail: boolean;
  /** Issue and post each invoice. */
  readonly autoSendPost: boolean;
  /** As given: what is left out follows the product at each run. */
  readonly lines: readonly LineInput[];
  readonly pricesIncludeVat?: DocumentTerms['pricesIncludeVat'];
  /** On each invoice, as on one that is made by hand. */
  readonly reference?: DocumentTerms['reference'];
  readonly note?: DocumentTerms['note'];
}

/** A recurring schedule and how far it has come. */
export interface Subscription extends SubscriptionTerms {
  readonly _id: string;
  readonly organizationId: string;
  readonly status: 'active' | 'paused' | 'ended';
  /** The next occurrence to invoice and its date: it only ever moves forward. */
  readonly nextIndex: number;
  readonly nextRunDate: string;
  readonly lastRunDate: string | null;
  /** Only those that the next occurrence has not passed yet. */
  readonly pauses: readonly Pause[];
  readonly pausedFrom: string | null;
  /** When to try next: the beginning of the day of `nextRunDate` in the organisation's zone, or later after a failure. */
  readonly dueAt: Date;
  readonly attempts: number;
  /** Stable code of the last failure; empty when the last run went well. */
  readonly lastError: string;
  /** When a run last passed over it without an invoice. */
  readonly seenAt: Date;
  readonly createdAt: Date;
}

/** An occurrence that is to be invoiced. */
export interface Period {
  readonly index: number;
  readonly date: string;
}

export const NEVER = new Date(0);

/** Waits after a period, or an invoice that was left a draft, could not be made. */
export const PERIOD_RETRY = { firstMs: 5_000, longestMs: 3_600_000, spread: 0.2 };

/** The first occurrence from `index` on that falls in no pause; undefined when the schedule has come to its end. */
export function periodFrom(schedule: Schedule, pauses: readonly Pause[], index: number): Period | undefined {
  const date = occurrenceDate(schedule, index);
  if (date === undefined) return undefined;
  const pause = pauses.find(({ from, until }) => from <= date && date < until);
  return pause ? periodFrom(schedule, pauses, firstIndexFrom(schedule, pause.until)) : { index, date };
}

/** The days that an occurrence's invoice is for: from its date up to the day before the next one. */
export function suppliedIn(schedule: Schedule, { index, date }: Period): SupplyPeriod | undefined {
  const next = occurrenceDate(schedule, index + 1);
  return next === undefined ? undefined : { from: date, to: addDays(next, -1) };
}

/** The pauses that still matter for occurrences from `date` on. */
export const pausesFrom = (pauses: readonly Pause[], date: string): Pause[] =>
  pauses.filter(({ until }) => until > date);
