import {
  allValid,
  faultless,
  notFoundError,
  refused,
  requireValid,
  valid,
  validationError,
  type Checked,
  type Warning,
} from '@invoicing/errors';
import { businessDate, dateFault } from '../invoices/business-date';
import { limitsOf, type Organization } from '../organizations/organization';
import { firstIndexFrom, occurrenceDate, startOfDay } from './recurrence';
import {
  NEVER,
  periodFrom,
  type Period,
  type Subscription,
  type SubscriptionPlan,
  type SubscriptionTerms,
} from './subscription';
import type { DocumentTermsInput } from '../invoices/document-terms';
import { checkInvoice } from '../invoices/check-invoice';
import { pricedLines } from '../invoices/price-input';
import { judgeTreatments } from '../invoices/treatment-warnings';
import { actorOfCall, type Call, type RecordedAs } from '../invoices/invoice-ports';
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

/** The id is the operation's: running it again answers the same subscription. Throws `validation` or `conflict`. */
export async function createSubscription(
  ports: SubscriptionPorts,
  organizationId: string,
  input: SubscriptionInput,
  call: Call,
  warn: Warn = unheard,
): Promise<Subscription> {
  const id = call.operationId ?? ports.newId();
  const repeated = await ports.subscriptions.find(organizationId, id);
  if (repeated) return repeated;
  const organization = await organizationOf(ports, organizationId);
  const terms = await checkTerms(ports, organization, input, call, warn);
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
    createdAt: ports.now(organizationId),
    ...(call.testScenario && { testScenario: call.testScenario }),
  };
  if (call.dryRun) return subscription;
  return ports.subscriptions.insert(subscription, recorded(subscription, 'created', call));
}

/** What the history tells of a change; people know a subscription by its rhythm. */
export const recorded = (
  { _id, freq, startDate }: Pick<Subscription, '_id' | 'freq' | 'startDate'>,
  action: 'created' | 'updated' | 'paused' | 'resumed' | 'ended',
  call: Call,
  fields: readonly string[] = [],
): RecordedAs => ({
  by: actorOfCall(call),
  action: `subscription.${action}`,
  subject: { kind: 'subscription', id: _id, label: `${freq} from ${startDate}` },
  fields,
});

/**
 * Where it begins: at its start, unless that lies further back than an organisation may catch up. A slip in the year must not send a
 * customer years of invoices. Such a schedule keeps its rhythm and begins with the first period from today on.
 */
function firstPeriod(ports: SubscriptionPorts, organization: Organization, terms: SubscriptionTerms): Period {
  const today = businessDate(ports.now(organization._id), organization.details.timezone);
  const missed = firstIndexFrom(terms, today);
  const index = missed > limitsOf(organization).catchUpPeriods ? missed : 0;
  return { index, date: occurrenceDate(terms, index) ?? terms.startDate };
}

/** Takes what its asker should look at, though it is done. */
export type Warn = (warnings: readonly Warning[]) => void;

const unheard: Warn = () => undefined;

/**
 * The terms in their stored form, with every id checked. Throws `validation`: also for VAT treatments that the law would not accept, where
 * the organisation is strict; elsewhere those are told to `warn`. Without it they are not judged.
 */
export async function checkTerms(
  ports: SubscriptionPorts,
  organization: Organization,
  input: SubscriptionInput,
  call: Call,
  warn?: Warn,
): Promise<SubscriptionTerms> {
  const { customerId, profileId, lines, autoSendEmail, autoSendPost, pricesIncludeVat, reference, note } = input;
  const today = businessDate(ports.now(organization._id), organization.details.timezone);
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
  warn?.(judgeTreatments(organization, invoice.customer.party, invoice.content.lines, true));
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

/**
 * The next dates, and the amount by the products' prices of now, of a subscription that need not be stored. Of a paused one: as if it
 * were resumed today. Throws `validation`.
 */
export async function previewSubscription(
  ports: SubscriptionPorts,
  subscription: Subscription,
  count: number,
  call: Call,
): Promise<{ date: string; totalInclCents: number }[]> {
  const { organizationId } = subscription;
  if (count < 1 || count > MAX_PREVIEW)
    throw validationError([{ path: '/count', message: `must be from 1 to ${MAX_PREVIEW}` }]);
  if (subscription.status === 'ended') return [];
  const { details } = await organizationOf(ports, organizationId);
  const pauses = allPauses(subscription, businessDate(ports.now(organizationId), details.timezone));
  const occurrences: { date: string; totalInclCents: number }[] = [];
  let next = periodFrom(subscription, pauses, subscription.nextIndex);
  let priced: { plan: SubscriptionPlan; totalInclCents: number } | undefined;
  while (next && occurrences.length < count) {
    const { plan, date } = next;
    if (priced?.plan !== plan) priced = { plan, totalInclCents: await totalOf(ports, organizationId, plan, call) };
    occurrences.push({ date, totalInclCents: priced.totalInclCents });
    next = periodFrom(plan, pauses, next.index + 1);
  }
  return occurrences;
}

async function totalOf(
  ports: SubscriptionPorts,
  organizationId: string,
  { lines, pricesIncludeVat }: SubscriptionPlan,
  call: Call,
): Promise<number> {
  return (await pricedLines(ports, organizationId, lines, pricesIncludeVat ?? false, call)).totals.inclCents;
}

/** Those that are over, and the one that lasts until today. */
export const allPauses = ({ pauses, pausedFrom }: Subscription, today: string) =>
  pausedFrom === null ? pauses : [...pauses, { from: pausedFrom, until: today }];

/** Throws `not_found`. */
export async function organizationOf({ organizations }: SubscriptionPorts, id: string): Promise<Organization> {
  const organization = await organizations.find(id);
  if (!organization) throw notFoundError('the organisation');
  return organization;
}
