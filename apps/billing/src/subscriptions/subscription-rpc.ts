import {
  type Frequency,
  type SubscriptionStatus,
  SubscriptionsService,
  type Subscription as ProtoSubscription,
} from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';
import type { Subscription, SubscriptionTerms } from './subscription';
import {
  createSubscription,
  endSubscription,
  getSubscription,
  pauseSubscription,
  previewSubscription,
  resumeSubscription,
} from './manage-subscriptions';
import { runSubscriptions } from './run-subscriptions';
import type { SubscriptionPorts } from './subscription-ports';
import { fromLineInput, toLineInput } from '../invoices/line-proto';

const LIST = { usual: 100, most: 100 };

export const subscriptionsService = (ports: SubscriptionPorts): BoundService =>
  bindService(
    SubscriptionsService,
    {
      createSubscription: async ({ organizationId, freq, interval, lines, ...request }, call) => {
        const input = {
          ...request,
          freq: frequencyOf(freq),
          interval: interval ?? 1,
          lines: lines.map(fromLineInput),
        };
        return toSubscription(await createSubscription(ports, organizationId, input, call));
      },
      listSubscriptions: async ({ organizationId, profileId, limit, cursor }) => {
        const { items, next } = await ports.subscriptions.page(
          organizationId,
          profileId,
          listLimit(limit, LIST),
          cursor,
        );
        return { subscriptions: items.map(toSubscription), cursor: next };
      },
      getSubscription: async ({ organizationId, subscriptionId }) =>
        toSubscription(await getSubscription(ports, organizationId, subscriptionId)),
      pauseSubscription: async ({ organizationId, subscriptionId }) =>
        toSubscription(await pauseSubscription(ports, organizationId, subscriptionId)),
      resumeSubscription: async ({ organizationId, subscriptionId }) =>
        toSubscription(await resumeSubscription(ports, organizationId, subscriptionId)),
      endSubscription: async ({ organizationId, subscriptionId }) =>
        toSubscription(await endSubscription(ports, organizationId, subscriptionId)),
      previewSubscription: async ({ organizationId, subscriptionId, count }, call) => ({
        occurrences: await previewSubscription(ports, organizationId, subscriptionId, count, call),
      }),
      runSubscriptions: ({ asOf }, call) => runSubscriptions(ports, asOf, call),
    },
    {
      createSubscription: { callers: ['gateway', 'application', 'admin'], action: 'subscriptions.write' },
      listSubscriptions: { callers: ['gateway', 'application', 'admin'], action: 'subscriptions.read' },
      getSubscription: { callers: ['application', 'admin'], action: 'subscriptions.read' },
      pauseSubscription: { callers: ['application', 'admin'], action: 'subscriptions.write' },
      resumeSubscription: { callers: ['application', 'admin'], action: 'subscriptions.write' },
      endSubscription: { callers: ['application', 'admin'], action: 'subscriptions.write' },
      previewSubscription: { callers: ['application', 'admin'], action: 'subscriptions.read' },
      runSubscriptions: { callers: ['admin'] },
    },
  );

const frequencyOf = (freq: Frequency): SubscriptionTerms['freq'] | undefined =>
  frequencies.find((each) => toFrequency(each) === freq);

const frequencies = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;

const toFrequency = (freq: SubscriptionTerms['freq']): Frequency => `FREQUENCY_${freq.toUpperCase()}` as Frequency;

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
  status: `SUBSCRIPTION_STATUS_${subscription.status.toUpperCase()}` as SubscriptionStatus,
  startDate: subscription.startDate,
  nextRunDate: subscription.status === 'ended' ? undefined : subscription.nextRunDate,
  lastRunDate: subscription.lastRunDate ?? undefined,
  createdAt: subscription.createdAt,
  lastError: subscription.lastError,
  pricesIncludeVat: subscription.pricesIncludeVat || undefined,
  reference: subscription.reference ?? undefined,
  note: subscription.note ?? undefined,
});
