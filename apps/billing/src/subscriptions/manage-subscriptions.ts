import {
  allValid,
  AppError,
  faultless,
  notFoundError,
  refused,
  requireValid,
  valid,
  validationError,
  type Checked,
} from '@invoicing/errors';
import { businessDate, dateFault } from '../invoices/business-date';
import { limitsOf, type Organization } from '../organizations/organization';
import { firstIndexFrom, occurrenceDate, startOfDay } from './recurrence';
import { NEVER, pausesFrom, periodFrom, type Period, type Subscription, type SubscriptionTerms } from './subscription';
import type { DocumentTermsInput } from '../invoices/document-terms';
import { checkInvoice } from '../invoices/check-invoice';
import { pricedLines } from '../invoices/price-input';
import type { Call } from '../invoices/invoice-ports';
import type { SubscriptionPorts } from './subscription-ports';

type Given = 'freq' | 'profileId' | 'startDate' | 'pricesIncludeVat' | 'reference' | 'note';

export interface SubscriptionInput
  extends Omit<SubscriptionTerms, Given>, Pick<DocumentTermsInput, 'pricesIncludeVat' | 'reference' | 'note'> {
  readonly freq: SubscriptionTerms['freq'] | undefined;
  readonly profileId?: string | undefined;
  /** Absent: today in the organisation's zone. */
  readonly startDate?: string | undefined;
}

const MAX_INTERVAL = 100;
const MAX_YEARS_BACK = 5;
const MAX_PREVIEW = 100;
// Each time that a change meets another one it is decided again.
const MAX_ROUNDS = 10;

/** The id is the operation's: running it again answers the same subscription. Throws `validation` or `conflict`. */
export async function createSubscription(
  ports: SubscriptionPorts,
  organizationId: string,
  input: SubscriptionInput,
  call: Call,
): Promise<Subscription> {
  const id = call.operationId ?? ports.newId();
  const repeated = await answerRepeat(ports, organizationId, id);
  if (repeated) return repeated;
  const organization = await organizationOf(ports, organizationId);
  const terms = await checkTerms(ports, organization, input, call);
  const { index, date } = firstPeriod(ports, organization, terms);
  const subscription: Subscription = {
    ...terms,
    _id: id,
    organizationId,
    status: 'active',
    nextIndex: index,
    nextRunDate: date,
    lastRunDate: null,
    pauses: [],
    pausedFrom: null,
    dueAt: startOfDay(date, organization.details.timezone),
    attempts: 0,
    lastError: '',
    seenAt: NEVER,
    createdAt: ports.now(),
  };
  if (await ports.subscriptions.insert(subscription)) return subscription;
  const raced = await answerRepeat(ports, organizationId, id);
  // Refused by a write that is not durable yet: whoever asks again will find it.
  if (!raced) throw new AppError('unavailable', 'unavailable', 'the subscription is being created');
  return raced;
}

/**
 * Where it begins: at its start, unless that lies further back than an organisation may catch up. A slip in the year must not send a
 * customer years of invoices. Such a schedule keeps its rhythm and begins with the first period from today on.
 */
function firstPeriod(ports: SubscriptionPorts, organization: Organization, terms: SubscriptionTerms): Period {
  const today = businessDate(ports.now(), organization.details.timezone);
  const missed = firstIndexFrom(terms, today);
  const index = missed > limitsOf(organization).catchUpPeriods ? missed : 0;
  return { index, date: occurrenceDate(terms, index) ?? terms.startDate };
}

async function answerRepeat(
  { subscriptions }: SubscriptionPorts,
  organizationId: string,
  id: string,
): Promise<Subscription | null> {
  return subscriptions.find(organizationId, id);
}

async function checkTerms(
  ports: SubscriptionPorts,
  organization: Organization,
  input: SubscriptionInput,
  call: Call,
): Promise<SubscriptionTerms> {
  const { customerId, profileId, lines, autoSendEmail, autoSendPost, pricesIncludeVat, reference, note } = input;
  const today = businessDate(ports.now(), organization.details.timezone);
  const { freq, interval, startDate, invoice } = requireValid(
    allValid({
      freq: input.freq
        ? valid(input.freq)
        : refused({ path: '/freq', message: 'must be weekly, monthly, quarterly or yearly' }),
      interval: faultless(input.interval, '/interval', intervalFault(input.interval)),
      startDate: startDateOf(input.startDate ?? today, today),
      invoice: await checkInvoice(
        ports,
        organization,
        { customerId, profileId, lines, pricesIncludeVat, reference, note },
        call,
      ),
    }),
  );
  if (invoice.content.totals.inclCents < 0)
    throw validationError([
      { path: '/lines', message: 'add up to less than nothing: no invoice could be made of them' },
    ]);
  const terms = { freq, interval, startDate, customerId, lines, autoSendEmail, autoSendPost };
  const { content } = invoice;
  return {
    ...terms,
    profileId: content.profileId,
    pricesIncludeVat: content.pricesIncludeVat ?? false,
    reference: content.reference ?? null,
    note: content.note ?? null,
  };
}

const intervalFault = (interval: number): string | undefined =>
  Number.isInteger(interval) && interval >= 1 && interval <= MAX_INTERVAL
    ? undefined
    : `must be a whole number from 1 to ${MAX_INTERVAL}`;

function startDateOf(date: string, today: string): Checked<string> {
  const earliest = `${Number(today.slice(0, 4)) - MAX_YEARS_BACK}${today.slice(4)}`;
  const tooLongAgo = date < earliest ? `must not be more than ${MAX_YEARS_BACK} years ago` : undefined;
  return faultless(date, '/startDate', dateFault(date) ?? tooLongAgo);
}

/** Throws `not_found`. */
export async function getSubscription(
  { subscriptions }: Pick<SubscriptionPorts, 'subscriptions'>,
  organizationId: string,
  id: string,
): Promise<Subscription> {
  const found = await subscriptions.find(organizationId, id);
  if (!found) throw notFoundError('the subscription');
  return found;
}

/** Throws `not_found` or `subscription_ended`. */
export const pauseSubscription = (
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
): Promise<Subscription> =>
  change(ports, organizationId, id, (subscription, today) => {
    assertNotEnded(subscription);
    return subscription.status === 'paused' ? undefined : { status: 'paused', pausedFrom: today };
  });

/** Periods that fell in the pause are skipped; what was owed before it is still invoiced. Throws as pausing. */
export const resumeSubscription = (
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
): Promise<Subscription> =>
  change(ports, organizationId, id, (subscription, today, timezone) => {
    assertNotEnded(subscription);
    if (subscription.status === 'active') return undefined;
    const pauses = pausesFrom(allPauses(subscription, today), subscription.nextRunDate);
    const next = periodFrom(subscription, pauses, subscription.nextIndex);
    if (!next) return { status: 'ended' };
    return {
      status: 'active',
      pausedFrom: null,
      pauses: pausesFrom(pauses, next.date),
      nextIndex: next.index,
      nextRunDate: next.date,
      dueAt: startOfDay(next.date, timezone),
      attempts: 0,
      lastError: '',
    };
  });

/** Final. Throws `not_found`. */
export const endSubscription = (ports: SubscriptionPorts, organizationId: string, id: string): Promise<Subscription> =>
  change(ports, organizationId, id, ({ status }) => (status === 'ended' ? undefined : { status: 'ended' }));

/** The next dates, and the amount by the products' prices of now. Of a paused one: as if it were resumed today. */
export async function previewSubscription(
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
  count: number,
  call: Call,
): Promise<{ date: string; totalInclCents: number }[]> {
  if (count < 1 || count > MAX_PREVIEW)
    throw validationError([{ path: '/count', message: `must be from 1 to ${MAX_PREVIEW}` }]);
  const subscription = await getSubscription(ports, organizationId, id);
  if (subscription.status === 'ended') return [];
  const { details } = await organizationOf(ports, organizationId);
  const pauses = allPauses(subscription, businessDate(ports.now(), details.timezone));
  const { totals } = await pricedLines(
    ports,
    organizationId,
    subscription.lines,
    subscription.pricesIncludeVat ?? false,
    call,
  );
  const occurrences: { date: string; totalInclCents: number }[] = [];
  let next = periodFrom(subscription, pauses, subscription.nextIndex);
  while (next && occurrences.length < count) {
    occurrences.push({ date: next.date, totalInclCents: totals.inclCents });
    next = periodFrom(subscription, pauses, next.index + 1);
  }
  return occurrences;
}

const allPauses = ({ pauses, pausedFrom }: Subscription, today: string) =>
  pausedFrom === null ? pauses : [...pauses, { from: pausedFrom, until: today }];

function assertNotEnded({ status }: Subscription): void {
  if (status === 'ended') throw new AppError('blocked', 'subscription_ended', 'the subscription has ended');
}

async function change(
  ports: SubscriptionPorts,
  organizationId: string,
  id: string,
  decide: (subscription: Subscription, today: string, timezone: string) => Partial<Subscription> | undefined,
): Promise<Subscription> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const subscription = await getSubscription(ports, organizationId, id);
    const { timezone } = (await organizationOf(ports, organizationId)).details;
    const changes = decide(subscription, businessDate(ports.now(), timezone), timezone);
    if (!changes) return subscription;
    const changed = await ports.subscriptions.change(subscription, changes);
    if (changed) return changed;
  }
  throw new AppError('conflict', 'conflict', 'the subscription is being changed');
}

async function organizationOf({ organizations }: SubscriptionPorts, id: string): Promise<Organization> {
  const organization = await organizations.find(id);
  if (!organization) throw notFoundError('the organisation');
  return organization;
}
