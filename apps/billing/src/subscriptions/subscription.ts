import type { TestScenario } from '@invoicing/rules';
import type { DocumentTerms } from '../invoices/document-terms';
import type { Period as SupplyPeriod } from '../invoices/invoice';
import type { LineInput } from '../invoices/price-lines';
import { addDays } from '../invoices/business-date';
import { anchoredAt, firstIndexFrom, occurrenceDate, type Schedule } from './recurrence';

/** Periods from `from` up to but not including `until` are skipped. */
export interface Pause {
  readonly from: string;
  readonly until: string;
}

/** What a subscription says of its invoices. */
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

/** Of these some can change; for another customer or profile one makes another subscription. */
export const CHANGEABLE = [
  'freq',
  'interval',
  'autoSendEmail',
  'autoSendPost',
  'lines',
  'pricesIncludeVat',
  'reference',
  'note',
] as const satisfies readonly (keyof SubscriptionTerms)[];
export type ChangeableTerms = Pick<SubscriptionTerms, (typeof CHANGEABLE)[number]>;

/** Terms from the first occurrence that is not before a date. */
export interface TermsChange extends Partial<ChangeableTerms> {
  /** YYYY-MM-DD. */
  readonly from: string;
}

/** The terms of the next occurrence, and what changes of them later. */
export interface SubscriptionPlan extends SubscriptionTerms {
  /** Earliest first. */
  readonly laterTerms?: readonly TermsChange[] | undefined;
}

/** A recurring schedule and how far it has come. */
export interface Subscription extends SubscriptionPlan {
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
  /** What its test organisation wished to happen to its invoices; absent otherwise. */
  readonly testScenario?: TestScenario;
  /** Grows by one with every change that somebody makes. */
  readonly revision?: number | undefined;
}

/** An occurrence that is to be invoiced. */
export interface Period {
  readonly index: number;
  readonly date: string;
}

export const NEVER = new Date(0);

/** Waits after a period, or an invoice that was left a draft, could not be made. */
export const PERIOD_RETRY = { firstMs: 5_000, longestMs: 3_600_000, spread: 0.2 };

/** An occurrence with the terms that are in force by then. */
export interface PlannedPeriod extends Period {
  readonly plan: SubscriptionPlan;
}

/** The first occurrence from `index` on that falls in no pause; undefined when the schedule has come to its end. */
export function periodFrom(plan: SubscriptionPlan, pauses: readonly Pause[], index: number): PlannedPeriod | undefined {
  const change = plan.laterTerms?.[0];
  if (!change) return unpaused(plan, pauses, index);
  const changesAt = Math.max(index, firstIndexFrom(plan, change.from));
  const before = index < changesAt ? unpaused(plan, pauses, index) : undefined;
  if (before && before.index < changesAt) return before;
  const changed = withChange(plan, change, changesAt);
  return changed && periodFrom(changed, pauses, changesAt);
}

function unpaused(plan: SubscriptionPlan, pauses: readonly Pause[], index: number): PlannedPeriod | undefined {
  const date = occurrenceDate(plan, index);
  if (date === undefined) return undefined;
  const pause = pauses.find(({ from, until }) => from <= date && date < until);
  return pause ? unpaused(plan, pauses, firstIndexFrom(plan, pause.until)) : { index, date, plan };
}

/** Another rhythm is counted from where the one before would have gone on: no day is invoiced twice, and none is left out. */
function withChange(plan: SubscriptionPlan, change: TermsChange, index: number): SubscriptionPlan | undefined {
  const { from: _, ...terms } = change;
  const changed = { ...plan, ...terms, laterTerms: plan.laterTerms?.slice(1) };
  if (changed.freq === plan.freq && changed.interval === plan.interval) return changed;
  const anchor = anchoredAt(plan, index);
  return anchor && { ...changed, anchor };
}

/** The plan with one more change, in the order of their dates; of two from one date the newer says what counts. */
export function withLaterTerms<P extends SubscriptionPlan>(plan: P, change: TermsChange): P {
  const others = plan.laterTerms ?? [];
  const same = others.find(({ from }) => from === change.from);
  const laterTerms = [...others.filter((each) => each !== same), { ...same, ...change }];
  return { ...plan, laterTerms: laterTerms.sort((a, b) => (a.from < b.from ? -1 : 1)) };
}

/** What a subscription becomes that goes on with this period. */
export function goingOn(
  { index, date, plan }: PlannedPeriod,
  pauses: readonly Pause[],
): Pick<Subscription, 'nextIndex' | 'nextRunDate' | 'pauses'> & Partial<SubscriptionPlan> {
  const terms = Object.fromEntries(CHANGEABLE.map((field) => [field, plan[field] ?? null]));
  return {
    ...(terms as Partial<ChangeableTerms>),
    ...(plan.anchor && { anchor: plan.anchor }),
    laterTerms: plan.laterTerms ?? [],
    nextIndex: index,
    nextRunDate: date,
    pauses: pausesFrom(pauses, date),
  };
}

/** The days that an occurrence's invoice is for: from its date up to the day before the next one. */
export function suppliedIn(schedule: Schedule, { index, date }: Period): SupplyPeriod | undefined {
  const next = occurrenceDate(schedule, index + 1);
  return next === undefined ? undefined : { from: date, to: addDays(next, -1) };
}

/** The pauses that still matter for occurrences from `date` on. */
export const pausesFrom = (pauses: readonly Pause[], date: string): Pause[] =>
  pauses.filter(({ until }) => until > date);
