import { setTimeout as delay } from 'node:timers/promises';
import { AppError, requireValid, faultless } from '@invoicing/errors';
import { addDays, businessDate, dateFault } from '../invoices/business-date';
import type { Call, RecordedAs } from '../invoices/invoice-ports';
import { allPauses, checkTerms, getSubscription, organizationOf, recorded, type Warn } from './manage-subscriptions';
import { startOfDay } from './recurrence';
import { periodInvoiceId } from './run-subscriptions';
import {
  goingOn,
  periodFrom,
  withLaterTerms,
  pausesFrom,
  type ChangeableTerms,
  type Subscription,
} from './subscription';
import type { SubscriptionPorts } from './subscription-ports';

// Each time that a change meets another one it is decided again.
const MAX_ROUNDS = 10;
// How long an update waits for an invoice that is being made.
const BUSY_ROUNDS = 50;
const BUSY_PAUSE_MS = 100;

/** Throws `not_found` or `subscription_ended`. */
export const pauseSubscription = (
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
  call: Call,
): Promise<Subscription> =>
  change(ports, organizationId, id, (subscription, today) => {
    assertNotEnded(subscription);
    if (subscription.status === 'paused') return undefined;
    return { changes: { status: 'paused', pausedFrom: today }, as: recorded(subscription, 'paused', call) };
  });

/** Periods that fell in the pause are skipped; what was owed before it is still invoiced. Throws as pausing. */
export const resumeSubscription = (
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
  call: Call,
): Promise<Subscription> =>
  change(ports, organizationId, id, (subscription, today, timezone) => {
    assertNotEnded(subscription);
    if (subscription.status === 'active') return undefined;
    const pauses = pausesFrom(allPauses(subscription, today), subscription.nextRunDate);
    const next = periodFrom(subscription, pauses, subscription.nextIndex);
    const as = recorded(subscription, 'resumed', call);
    if (!next) return { changes: { status: 'ended' }, as };
    const dueAt = startOfDay(next.date, timezone);
    return {
      changes: { ...goingOn(next, pauses), status: 'active', pausedFrom: null, dueAt, attempts: 0, lastError: '' },
      as,
    };
  });

/** Final. Throws `not_found`. */
export const endSubscription = (
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
  call: Call,
): Promise<Subscription> =>
  change(ports, organizationId, id, (subscription) =>
    subscription.status === 'ended'
      ? undefined
      : { changes: { status: 'ended' }, as: recorded(subscription, 'ended', call) },
  );

/** New terms, and from when on. */
export interface SubscriptionUpdate {
  readonly changes: { readonly [K in keyof ChangeableTerms]?: ChangeableTerms[K] | undefined };
  /** YYYY-MM-DD; absent: with the next occurrence. */
  readonly from?: string | undefined;
  /** That the caller has seen. */
  readonly revision?: number | undefined;
}

/**
 * Changes what later invoices say, from the first occurrence that is not before a date and is not invoiced yet. What was made stays.
 * Throws `not_found`, `validation`, `subscription_ended`, `revision_conflict` or `busy`.
 */
export async function updateSubscription(
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
  update: SubscriptionUpdate,
  call: Call,
  warn?: Warn,
): Promise<Subscription> {
  for (let round = 0; round < BUSY_ROUNDS; round++) {
    const changed = await tryUpdate(ports, await getSubscription(ports, organizationId, id), update, call, warn);
    if (changed) return changed;
    await delay(BUSY_PAUSE_MS);
  }
  throw new AppError('busy', 'busy', 'an invoice of the subscription is being made');
}

async function tryUpdate(
  ports: SubscriptionPorts,
  subscription: Subscription,
  { changes, from, revision }: SubscriptionUpdate,
  call: Call,
  warn: Warn | undefined,
): Promise<Subscription | null> {
  const { organizationId, _id, nextRunDate } = subscription;
  await ports.subscriptions.assertSeen(subscription, revision);
  assertNotEnded(subscription);
  const asked = requireValid(faultless(from ?? nextRunDate, '/from', from === undefined ? undefined : dateFault(from)));
  const organization = await organizationOf(ports, organizationId);
  const given = known(changes);
  const {
    customerId: _customer,
    profileId: _profile,
    startDate: _start,
    ...checked
  } = await checkTerms(
    ports,
    organization,
    { ...subscription, startDate: undefined, ...given },
    call,
    // What was agreed before is not judged again.
    given.lines ? warn : undefined,
  );
  const terms = Object.fromEntries(Object.keys(given).map((field) => [field, checked[field as keyof typeof checked]]));
  const isMade = await hasInvoice(ports, organizationId, periodInvoiceId(_id, nextRunDate));
  const planned = withLaterTerms(subscription, {
    ...terms,
    from: isMade && asked <= nextRunDate ? addDays(nextRunDate, 1) : asked,
  });
  const next = periodFrom(planned, subscription.pauses, subscription.nextIndex);
  const moved = next ? goingOn(next, subscription.pauses) : {};
  if (isSame(moved, subscription)) return subscription;
  if (call.dryRun) return { ...subscription, ...moved };
  const as = recorded(subscription, 'updated', call, Object.keys(given));
  return ports.subscriptions.changeUnclaimed(subscription, moved, as, ports.now());
}

const isSame = (changes: Partial<Subscription>, { ...stored }: Subscription): boolean =>
  Object.entries(changes).every(
    ([field, value]) => JSON.stringify(value) === JSON.stringify(stored[field as keyof Subscription] ?? EMPTY[field]),
  );

// As a subscription of before is stored.
const EMPTY: Readonly<Record<string, unknown>> = {
  laterTerms: [],
  reference: null,
  note: null,
  pricesIncludeVat: null,
};

/** A run that was cut off has made an invoice without telling the subscription. One that was deleted by hand counts, too. */
async function hasInvoice(
  { invoices, drafts }: SubscriptionPorts,
  organizationId: string,
  id: string,
): Promise<boolean> {
  return Boolean((await invoices.find(organizationId, id)) ?? (await drafts.findAny(organizationId, id)));
}

/** What is cleared becomes what it is on a new subscription. */
const known = (changes: SubscriptionUpdate['changes']): Partial<ChangeableTerms> =>
  Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, value ?? CLEARED[field] ?? null]));

const CLEARED: Readonly<Record<string, unknown>> = {
  interval: 1,
  autoSendEmail: false,
  autoSendPost: false,
  pricesIncludeVat: false,
  lines: [],
};

function assertNotEnded({ status }: Subscription): void {
  if (status === 'ended') throw new AppError('blocked', 'subscription_ended', 'the subscription has ended');
}

interface Decision {
  readonly changes: Partial<Subscription>;
  readonly as: RecordedAs;
}

async function change(
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
  decide: (subscription: Subscription, today: string, timezone: string) => Decision | undefined,
): Promise<Subscription> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const subscription = await getSubscription(ports, organizationId, id);
    const { timezone } = (await organizationOf(ports, organizationId)).details;
    const decision = decide(subscription, businessDate(ports.now(organizationId), timezone), timezone);
    if (!decision) return subscription;
    const changed = await ports.subscriptions.change(subscription, decision.changes, decision.as);
    if (changed) return changed;
  }
  throw new AppError('conflict', 'conflict', 'the subscription is being changed');
}
