import {
  type CreateSubscriptionRequest,
  Frequency,
  type LaterTerms,
  type PauseSubscriptionRequest,
  type SubscriptionDetails,
  type SubscriptionStatus,
  SubscriptionsService,
  type Subscription as ProtoSubscription,
  type UpdateSubscriptionRequest,
} from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { notFoundError, type Warning } from '@invoicing/errors';
import { bindService, listLimit, maskedFields, type BoundService, type ServerCallContext } from '@invoicing/rpc';
import {
  CHANGEABLE,
  type ChangeableTerms,
  type Subscription,
  type SubscriptionTerms,
  type TermsChange,
} from './subscription';
import { endSubscription, pauseSubscription, resumeSubscription, updateSubscription } from './change-subscription';
import { createSubscription, getSubscription, previewSubscription, type Warn } from './manage-subscriptions';
import { runSubscriptions } from './run-subscriptions';
import type { SubscriptionPorts } from './subscription-ports';
import { fromLineInput, toLineInput } from '../invoices/line-proto';

const LIST = { usual: 100, most: 100 };

export function subscriptionsService(ports: SubscriptionPorts): BoundService {
  // An operator may leave the organisation out; everybody else acts for the one they name.
  const owner = async (organizationId: string, id: string, { caller }: ServerCallContext): Promise<string> => {
    if (organizationId !== '' || caller !== 'admin') return organizationId;
    const found = await ports.subscriptions.organizationOf(id);
    if (found === undefined) throw notFoundError('the subscription');
    return found;
  };
  const changing =
    (verb: typeof pauseSubscription) => async (request: PauseSubscriptionRequest, call: ServerCallContext) => {
      const { organizationId, subscriptionId } = request;
      return toSubscription(await verb(ports, await owner(organizationId, subscriptionId, call), subscriptionId, call));
    };
  return bindService(
    SubscriptionsService,
    {
      createSubscription: async (request, call) =>
        warned((warn) => createSubscription(ports, request.organizationId, inputOf(request), call, warn)),
      listSubscriptions: async ({ organizationId, limit, status, ...wanted }) => {
        const { items, next } = await ports.subscriptions.page(organizationId, {
          ...wanted,
          limit: listLimit(limit, LIST),
          status: statuses.find((each) => toStatus(each) === status),
        });
        return { subscriptions: items.map(toSubscription), cursor: next };
      },
      getSubscription: async ({ organizationId, subscriptionId }, call) =>
        toSubscription(await getSubscription(ports, await owner(organizationId, subscriptionId, call), subscriptionId)),
      updateSubscription: async (request, call) => {
        const { organizationId, subscriptionId } = request;
        const owned = await owner(organizationId, subscriptionId, call);
        return warned((warn) => updateSubscription(ports, owned, subscriptionId, updateOf(request), call, warn));
      },
      pauseSubscription: changing(pauseSubscription),
      resumeSubscription: changing(resumeSubscription),
      endSubscription: changing(endSubscription),
      previewSubscription: async ({ organizationId, subscriptionId, count, created, updated }, call) => {
        const tried = { ...call, dryRun: true };
        if (created) {
          // Its id is the next one: the same operation may have made it already, and that one would be shown.
          const made = await createSubscription(ports, organizationId, inputOf(created), {
            ...tried,
            operationId: undefined,
          });
          return { occurrences: await previewSubscription(ports, made, count, tried) };
        }
        const owned = await owner(organizationId, subscriptionId, call);
        const shown = updated
          ? await updateSubscription(ports, owned, subscriptionId, updateOf(updated), tried)
          : await getSubscription(ports, owned, subscriptionId);
        return { occurrences: await previewSubscription(ports, shown, count, tried) };
      },
      runSubscriptions: ({ asOf }, call) => runSubscriptions(ports, asOf, call),
    },
    {
      createSubscription: { callers: ['gateway', 'application', 'admin'], action: 'subscriptions.write', dryRun: true },
      listSubscriptions: { callers: ['gateway', 'application', 'admin'], action: 'subscriptions.read' },
      getSubscription: { callers: ['application', 'admin'], action: 'subscriptions.read' },
      updateSubscription: { callers: ['application', 'admin'], action: 'subscriptions.write' },
      pauseSubscription: { callers: ['application', 'admin'], action: 'subscriptions.write' },
      resumeSubscription: { callers: ['application', 'admin'], action: 'subscriptions.write' },
      endSubscription: { callers: ['application', 'admin'], action: 'subscriptions.write' },
      previewSubscription: { callers: ['application', 'admin'], action: 'subscriptions.read' },
      runSubscriptions: { callers: ['admin'] },
    },
  );
}

/** With what its asker should look at. */
async function warned(work: (warn: Warn) => Promise<Subscription>): Promise<ProtoSubscription> {
  let warnings: Warning[] = [];
  const subscription = await work((more) => (warnings = [...more]));
  return { ...toSubscription(subscription), warnings };
}

/** A new one as it is asked for; whose it is stands beside it. */
const inputOf = ({ organizationId: _organization, freq, interval, lines, ...request }: CreateSubscriptionRequest) => ({
  ...request,
  freq: frequencyOf(freq),
  interval: interval ?? 1,
  lines: lines.map(fromLineInput),
});

const updateOf = ({ details, updateMask, from, revision }: UpdateSubscriptionRequest) => ({
  changes: maskedFields(fromDetails(details), updateMask, CHANGEABLE),
  from,
  revision,
});

const frequencyOf = (freq: Frequency): SubscriptionTerms['freq'] | undefined =>
  frequencies.find((each) => toFrequency(each) === freq);

const frequencies = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;

const toFrequency = (freq: SubscriptionTerms['freq']): Frequency => `FREQUENCY_${freq.toUpperCase()}` as Frequency;

const statuses = ['active', 'paused', 'ended'] as const;

const toStatus = (status: Subscription['status']): SubscriptionStatus =>
  `SUBSCRIPTION_STATUS_${status.toUpperCase()}` as SubscriptionStatus;

const toSubscription = (subscription: Subscription): ProtoSubscription => ({
  id: subscription._id,
  organizationId: subscription.organizationId,
  profileId: subscription.profileId,
  customerId: subscription.customerId,
  freq: toFrequency(subscription.freq),
  interval: subscription.interval,
  autoSendEmail: subscription.autoSendEmail,
  autoSendPost: subscription.autoSendPost,
  lines: subscription.lines.map(toLineInput),
  status: toStatus(subscription.status),
  startDate: subscription.startDate,
  nextRunDate: subscription.status === 'ended' ? undefined : subscription.nextRunDate,
  lastRunDate: subscription.lastRunDate ?? undefined,
  createdAt: subscription.createdAt,
  lastError: subscription.lastError,
  laterTerms: (subscription.laterTerms ?? []).map(toLaterTerms),
  revision: subscription.revision ?? 0,
  pricesIncludeVat: subscription.pricesIncludeVat || undefined,
  reference: subscription.reference ?? undefined,
  note: subscription.note ?? undefined,
  warnings: [],
});

/** What an update gives; an unspecified frequency is left as it is. */
const fromDetails = (details: SubscriptionDetails | undefined): Partial<ChangeableTerms> => {
  const { freq, lines, interval, ...given } = details ?? {};
  const known = freq && frequencyOf(freq);
  return {
    ...given,
    ...(known && { freq: known }),
    ...(lines && { lines: lines.map(fromLineInput) }),
    ...(interval !== undefined && { interval }),
  };
};

const toLaterTerms = ({ from, ...terms }: TermsChange): LaterTerms => ({
  from,
  fields: CHANGEABLE.filter((field) => field in terms),
  details: {
    freq: terms.freq ? toFrequency(terms.freq) : Frequency.UNSPECIFIED,
    interval: terms.interval,
    autoSendEmail: terms.autoSendEmail ?? false,
    autoSendPost: terms.autoSendPost ?? false,
    lines: (terms.lines ?? []).map(toLineInput),
    pricesIncludeVat: terms.pricesIncludeVat ?? undefined,
    reference: terms.reference ?? undefined,
    note: terms.note ?? undefined,
  },
});
