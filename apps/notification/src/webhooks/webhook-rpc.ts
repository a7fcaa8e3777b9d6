import { randomUUID } from 'node:crypto';
import { AppError, notFoundError, validationError, type Violation } from '@invoicing/errors';
import type { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import {
  WebhooksService,
  type Delivery as DeliveryMessage,
  type Endpoint as EndpointMessage,
} from '@invoicing/contracts/invoicing/notification/v1/notification';
import { bindService, listLimit, type RpcClient } from '@invoicing/rpc';
import type { SecretSealer } from '@invoicing/secrets';
import { DEFAULT_EVENT_TYPES, eventTypes, isEventType, targetFault } from '@invoicing/rules';
import { LIST, requireUuid } from '../request-rules';
import type { Delivery, Period } from './delivery';
import type { DeliveryStore } from './delivery-store';
import type { DeliveryRunner } from './delivery-worker';
import { rotatedSecrets, type Endpoint } from './endpoint';
import type { EndpointStore } from './endpoint-store';
import { newWebhookSecret } from './sign-webhook';
import { TEST_EVENT, testEventBody } from './webhook-body';

export interface WebhooksRpcPorts {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly runner: DeliveryRunner;
  readonly secrets: SecretSealer;
  readonly organizations: Pick<RpcClient<typeof OrganizationsService>, 'getOrganization'>;
  readonly allowLoopback: boolean;
}

type Handlers = Parameters<typeof bindService<typeof WebhooksService>>[1];

const NOT_ARRIVED = ['held', 'failed'] as const;

/** Endpoints, and what is on its way to them. */
export const webhooksService = (ports: WebhooksRpcPorts) =>
  bindService(
    WebhooksService,
    { ...endpointHandlers(ports), ...deliveryHandlers(ports) },
    {
      createEndpoint: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      updateEndpoint: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      listEndpoints: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      disableEndpoint: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      enableEndpoint: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      rotateSecret: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      listDeliveries: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      getDelivery: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      redeliver: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      redeliverPeriod: { callers: ['application', 'admin'], action: 'webhooks.manage' },
      sendTestEvent: { callers: ['application', 'admin'], action: 'webhooks.manage' },
    },
  );

function endpointHandlers(ports: WebhooksRpcPorts) {
  const { endpoints, deliveries, runner, secrets, organizations, allowLoopback } = ports;
  const withSecret = (endpoint: Endpoint) => ({
    endpoint: toEndpoint(endpoint),
    secret: secrets.open(endpoint.secrets[0]!.sealed, endpoint._id),
  });
  return {
    createEndpoint: async ({ organizationId, url, events }, context) => {
      requireUuid({ organizationId });
      const faults = [...urlFaults(url, allowLoopback), ...eventFaults(events)];
      if (faults.length > 0) throw validationError(faults);
      await organizations.getOrganization({ organizationId }, context);
      const _id = context.operationId ?? randomUUID();
      const endpoint = await endpoints.ensure(
        {
          _id,
          organizationId,
          url,
          events: [...new Set(events.length > 0 ? events : DEFAULT_EVENT_TYPES)],
          enabled: true,
          disabledReason: '',
          secrets: [{ sealed: secrets.seal(newWebhookSecret(), _id) }],
          createdAt: new Date(),
        },
        context.by,
      );
      return withSecret(endpoint);
    },

    updateEndpoint: async ({ endpointId, organizationId, events }, { by }) => {
      const faults = events.length > 0 ? eventFaults(events) : [{ path: '/events', message: 'names none' }];
      if (faults.length > 0) throw validationError(faults);
      const found = await ownEndpoint(ports, endpointId, organizationId);
      return toEndpoint(present(await endpoints.want(found, [...new Set(events)], by), 'endpoint'));
    },

    listEndpoints: async ({ organizationId }) => {
      if (organizationId !== undefined) requireUuid({ organizationId });
      return { endpoints: (await endpoints.list(organizationId)).map(toEndpoint) };
    },

    disableEndpoint: async ({ endpointId, organizationId }, { by }) => {
      const found = await ownEndpoint(ports, endpointId, organizationId);
      const endpoint = present(await endpoints.switchOff(found, by), 'endpoint');
      await deliveries.holdPending(endpoint);
      return toEndpoint(endpoint);
    },

    enableEndpoint: async ({ endpointId, organizationId, catchUp }, { by }) => {
      const found = await ownEndpoint(ports, endpointId, organizationId);
      const endpoint = present(await endpoints.enable(found, by), 'endpoint');
      if (catchUp) await runner.redeliver(endpoint, ['held'], periodOf({}));
      return toEndpoint(endpoint);
    },

    rotateSecret: async ({ endpointId, organizationId, now }, { by }) => {
      const endpoint = await ownEndpoint(ports, endpointId, organizationId);
      const sealed = secrets.seal(newWebhookSecret(), endpointId);
      const next = rotatedSecrets(endpoint, sealed, new Date(), { now: now ?? false });
      const rotated = await endpoints.replaceSecrets(endpoint, next, by);
      if (!rotated) throw new AppError('conflict', 'conflict', 'the secret is being rotated by somebody else');
      return withSecret(rotated);
    },
  } satisfies Partial<Handlers>;
}

function deliveryHandlers(ports: WebhooksRpcPorts) {
  const { endpoints, deliveries, runner } = ports;
  return {
    listDeliveries: async ({ organizationId, endpointId, limit }) => {
      requireUuid({ organizationId, ...(endpointId !== undefined && { endpointId }) });
      const found = await deliveries.list({ organizationId, endpointId }, listLimit(limit, LIST));
      return { deliveries: found.map(toDelivery) };
    },

    getDelivery: async ({ organizationId, deliveryId }) => {
      requireUuid({ organizationId });
      const found = present(await deliveries.find(organizationId, deliveryId), 'delivery');
      return { delivery: toDelivery(found), body: found.body };
    },

    redeliver: async ({ deliveryId, organizationId }) => {
      const found = present(await deliveries.find(organizationId, deliveryId), 'delivery');
      const [endpoint] = await endpoints.findMany([{ organizationId: found.organizationId, _id: found.endpointId }]);
      enabled(present(endpoint ?? null, 'endpoint'));
      const delivery = present(await deliveries.redeliver(found), 'delivery');
      runner.wake();
      return toDelivery(delivery);
    },

    redeliverPeriod: async ({ organizationId, endpointId, ...between }) => {
      const period = periodOf(between);
      const those = await redeliveredEndpoints(ports, organizationId, endpointId);
      let count = 0;
      for (const endpoint of those) count += await runner.redeliver(endpoint, NOT_ARRIVED, period);
      return { deliveries: count };
    },

    sendTestEvent: async ({ endpointId, organizationId: owner }, context) => {
      const endpoint = enabled(await ownEndpoint(ports, endpointId, owner));
      const eventId = context.operationId ?? randomUUID();
      const { organizationId } = endpoint;
      const event = { eventId, eventType: TEST_EVENT, organizationId, body: testEventBody(new Date(), endpointId) };
      await runner.deliver(event, [endpoint]);
      return toDelivery(present(await deliveries.findOf(endpoint, eventId), 'delivery'));
    },
  } satisfies Partial<Handlers>;
}

async function ownEndpoint(
  { endpoints }: WebhooksRpcPorts,
  endpointId: string,
  organizationId: string | undefined,
): Promise<Endpoint> {
  requireUuid({ endpointId });
  return present(await endpoints.find(organizationId, endpointId), 'endpoint');
}

async function redeliveredEndpoints(
  ports: WebhooksRpcPorts,
  organizationId: string | undefined,
  endpointId: string | undefined,
): Promise<Endpoint[]> {
  if (endpointId !== undefined) return [enabled(await ownEndpoint(ports, endpointId, organizationId))];
  requireUuid({ organizationId: organizationId ?? '' });
  return (await ports.endpoints.list(organizationId)).filter((each) => each.enabled);
}

function periodOf({ from = new Date(0), to = new Date() }: { from?: Date | undefined; to?: Date | undefined }): Period {
  if (from >= to) throw validationError([{ path: '/to', message: 'must be after `from`' }]);
  return { from, to };
}

function urlFaults(url: string, allowLoopback: boolean): Violation[] {
  const fault = targetFault(url, allowLoopback);
  return fault === undefined ? [] : [{ path: '/url', message: fault }];
}

const eventFaults = (events: readonly string[]): Violation[] =>
  events.flatMap((event, index) =>
    isEventType(event) ? [] : [{ path: `/events/${index}`, message: `must be one of ${eventTypes.join(', ')}` }],
  );

function present<T>(found: T | null, what: string): T {
  if (found === null) throw notFoundError(what);
  return found;
}

function enabled(endpoint: Endpoint): Endpoint {
  if (!endpoint.enabled)
    throw new AppError('blocked', 'endpoint_disabled', 'the endpoint is disabled: enable it first');
  return endpoint;
}

const toEndpoint = (endpoint: Endpoint): EndpointMessage => ({
  id: endpoint._id,
  organizationId: endpoint.organizationId,
  url: endpoint.url,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  createdAt: endpoint.createdAt,
});

const toDelivery = (delivery: Delivery): DeliveryMessage => ({
  id: delivery._id,
  eventId: delivery.eventId,
  endpointId: delivery.endpointId,
  eventType: delivery.eventType,
  status: delivery.status,
  attempts: delivery.attempts.map(({ at, status, durationMs, error, excerpt }) => ({
    at,
    status,
    durationMs,
    error,
    responseExcerpt: excerpt,
  })),
  nextAttemptAt: delivery.dueAt ?? delivery.queuedAt,
  createdAt: delivery.createdAt,
});
