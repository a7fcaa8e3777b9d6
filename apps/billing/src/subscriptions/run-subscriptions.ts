import { v5 as uuidv5 } from 'uuid';
import { backoffMs } from '@invoicing/concurrency';
import { AppError, validationError } from '@invoicing/errors';
import { addDays, businessDate, dateFault } from '../invoices/business-date';
import { startOfDay } from './recurrence';
import { PERIOD_RETRY, goingOn, pausesFrom, periodFrom, type Subscription } from './subscription';
import { issueWaitingInvoices } from './issue-waiting-invoices';
import type { Call } from '../invoices/invoice-ports';
import type { Finished, SubscriptionPorts, Wanted } from './subscription-ports';

/** What became of one period. */
export interface PeriodOutcome {
  readonly subscriptionId: string;
  readonly periodDate: string;
  /** Empty when it failed. */
  readonly invoiceId: string;
  /** Stable code; empty when it went well. */
  readonly error: string;
}

/** A batch is one date of up to so many subscriptions: it bounds memory, keeps numbers in the order of dates, and is shared fairly. */
const BATCH = 64;
// Longer than any call within a batch takes; what a killed process held is taken up again after it.
const LEASE_MS = 60_000;
const MAX_YEARS_AHEAD = 10;
const HELD_PAUSE_MS = 200;

/** The invoice of a period has the id that any replica, at any time, would give it: the period is invoiced once. */
export const periodInvoiceId = (subscriptionId: string, date: string): string => uuidv5(date, subscriptionId);

/** One bounded batch of what is due by the clock; answers whether more is due right now. */
export async function runDueBatch(ports: SubscriptionPorts): Promise<boolean> {
  const { claimed } = await runBatch(ports, { by: 'clock', now: ports.now() });
  return claimed > 0;
}

/**
 * Invoices every period dated by `asOf` (absent: by today in each organisation's zone), in the order of their dates, and tells
 * what became of each. A subscription that fails is passed over. Ends when nobody holds such work any more.
 */
export async function* runSubscriptions(
  ports: SubscriptionPorts,
  asOf: string | undefined,
  call: Pick<Call, 'deadline'> & { readonly signal?: AbortSignal },
): AsyncGenerator<PeriodOutcome> {
  const since = ports.now();
  // The day has begun somewhere on earth; the others are passed over below.
  const until = asOf ?? addDays(since.toISOString().slice(0, 10), 1);
  const latest = addDays(since.toISOString().slice(0, 10), 366 * MAX_YEARS_AHEAD);
  const fault = dateFault(until) ?? (until > latest ? `must be within ${MAX_YEARS_AHEAD} years` : undefined);
  if (fault) throw validationError([{ path: '/asOf', message: fault }]);
  await issueWaitingInvoices(ports);
  while (!call.signal?.aborted) {
    if (Date.now() >= call.deadline) throw new AppError('unfinished', 'generic', 'the deadline has passed');
    // A run that goes on after the clock was set back must not meet again what it passed over.
    const now = new Date(Math.max(since.getTime(), ports.now().getTime()));
    const wanted: Wanted = { by: 'date', until, since, now };
    const { outcomes, claimed, held } = await runBatch(ports, wanted, asOf);
    yield* outcomes;
    if (claimed === 0 && !held) return;
    if (claimed === 0) await new Promise((resolve) => setTimeout(resolve, HELD_PAUSE_MS));
  }
}

async function runBatch(ports: SubscriptionPorts, wanted: Wanted, asOf?: string) {
  const { lease, subscriptions, held } = await ports.subscriptions.claim(wanted, BATCH, LEASE_MS);
  const runs = await Promise.all(subscriptions.map((each) => runPeriod(ports, each, wanted, asOf)));
  if (runs.length > 0) await ports.subscriptions.finish(lease, runs);
  return { outcomes: runs.flatMap(({ outcome }) => outcome ?? []), claimed: runs.length, held };
}

async function runPeriod(
  ports: SubscriptionPorts,
  subscription: Subscription,
  wanted: Wanted,
  asOf: string | undefined,
): Promise<Finished & { readonly outcome?: PeriodOutcome }> {
  const { _id, organizationId, nextRunDate: date } = subscription;
  const told = { subscriptionId: _id, periodDate: date };
  const seenAt = wanted.now;
  try {
    const organization = await ports.organizations.find(organizationId);
    if (!organization) throw new AppError('absent', 'organization_gone', 'the organisation does not exist');
    const { timezone } = organization.details;
    if (date > (asOf ?? businessDate(ports.now(organizationId), timezone)))
      return { subscription, changes: { dueAt: startOfDay(date, timezone), seenAt } };

    const invoiceId = periodInvoiceId(_id, date);
    const made = await ports.periodInvoices.make(subscription, invoiceId);
    if (made === 'waiting')
      await ports.waiting.add({
        _id: invoiceId,
        organizationId,
        subscriptionId: _id,
        date,
        email: subscription.autoSendEmail,
        attempts: 0,
        dueAt: ports.now(organizationId),
      });
    return {
      subscription,
      outcome: { ...told, invoiceId, error: '' },
      changes: afterInvoice(subscription, timezone),
      invoiced: { invoiceId, issued: made === 'issued', at: ports.now(organizationId) },
    };
  } catch (error) {
    ports.onRunError(error, _id);
    const attempts = subscription.attempts + 1;
    const dueAt = new Date(ports.now(organizationId).getTime() + backoffMs(PERIOD_RETRY, attempts));
    const lastError = codeOf(error);
    const outcome = { ...told, invoiceId: '', error: lastError };
    return { subscription, outcome, changes: { attempts, dueAt, lastError, seenAt } };
  }
}

function afterInvoice(subscription: Subscription, timezone: string): Partial<Subscription> {
  const done = { lastRunDate: subscription.nextRunDate, attempts: 0, lastError: '' };
  const next = periodFrom(subscription, subscription.pauses, subscription.nextIndex + 1);
  if (!next) return { ...done, status: 'ended' };
  return {
    ...done,
    ...(next.plan === subscription
      ? { nextIndex: next.index, nextRunDate: next.date, pauses: pausesFrom(subscription.pauses, next.date) }
      : goingOn(next, subscription.pauses)),
    dueAt: startOfDay(next.date, timezone),
  };
}

/** `validation` alone says little to who must mend it: the first pointer goes along. */
function codeOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'generic';
  const path = error.details?.[0]?.path;
  return path ? `${error.code} ${path}` : error.code;
}
