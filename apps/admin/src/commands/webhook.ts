import { InvalidArgumentError, type Command } from 'commander';
import { eventTypes } from '@invoicing/rules';
import type { Delivery, Endpoint } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface RedeliverFlags extends Record<string, unknown> {
  org?: string;
  endpoint?: string;
  from?: Date;
  to?: Date;
}

// A long list is only queued meanwhile, not sent.
const CATCH_UP_MS = 120_000;

/** `all` is every event that there is now. */
const eventList = (text: string): string[] => (text === 'all' ? [...eventTypes] : text.split(','));

function timeOf(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('must be a time as 2026-03-01T09:30:00Z, or a date');
  return time;
}

const EVENTS = `some of ${eventTypes.join(', ')}; or all`;

const oneLine = <E extends { events: string[] }>(endpoint: E) => ({ ...endpoint, events: endpoint.events.join(', ') });

/** What came of its last attempt, in one word. */
const deliveryRow = ({ id, eventType, status, attempts, createdAt: at }: Delivery) => ({
  ...{ id, at, eventType, status },
  attempts: attempts.length,
  answer: attempts.at(-1)?.error || attempts.at(-1)?.status,
});

export function addWebhook(program: Command): void {
  const webhook = program.command('webhook').description('webhook endpoints and deliveries');
  addEndpoints(webhook);
  addDeliveries(webhook);
}

function addEndpoints(webhook: Command): void {
  verb<{ org: string; url: string; events?: string[] }, { events: string[] }>(
    webhook,
    'create',
    'add an endpoint; its secret is shown once',
    async (services, flags) => {
      const { endpoint, secret } = await services.webhooks.createEndpoint(
        { organizationId: flags.org, url: flags.url, events: flags.events ?? [] },
        operatorCall(),
      );
      return { id: endpoint!.id, secret, url: endpoint!.url, events: endpoint!.events };
    },
    oneLine,
  )
    .requiredOption('--org <id>')
    .requiredOption('--url <url>')
    .option('--events <list>', `${EVENTS}; invoice.paid when left out`, eventList);

  verb<{ events: string[] }, Endpoint>(
    webhook,
    'update <id>',
    'other events than before, from now on',
    (services, { events }, id) => services.webhooks.updateEndpoint({ endpointId: id!, events }, operatorCall()),
    oneLine,
  ).requiredOption('--events <list>', EVENTS, eventList);

  verb<{ org?: string }>(
    webhook,
    'list',
    'endpoints, newest first',
    async (services, flags) =>
      (await services.webhooks.listEndpoints({ organizationId: flags.org }, operatorCall())).endpoints,
  ).option('--org <id>');

  verb(webhook, 'disable <id>', 'stop deliveries to an endpoint', (services, _flags, id) =>
    services.webhooks.disableEndpoint({ endpointId: id! }, operatorCall()),
  );
  verb<{ catchUp?: boolean }>(webhook, 'enable <id>', 'start them again', (services, { catchUp = false }, id) =>
    services.webhooks.enableEndpoint({ endpointId: id!, catchUp }, operatorCall(CATCH_UP_MS)),
  ).option('--catch-up', 'also send what was held meanwhile, oldest first');

  verb<{ now?: boolean }>(
    webhook,
    'rotate-secret <id>',
    'a new secret; the old one stays valid beside it for 24 h',
    async (services, { now = false }, id) => {
      const { endpoint, secret } = await services.webhooks.rotateSecret({ endpointId: id!, now }, operatorCall());
      return { id: endpoint!.id, secret };
    },
  ).option('--now', 'the old secret ends at once: it has leaked');
}

function addDeliveries(webhook: Command): void {
  verb(webhook, 'test <id>', 'send the event webhook.test', (services, _flags, id) =>
    services.webhooks.sendTestEvent({ endpointId: id! }, operatorCall()),
  );

  verb<{ org: string; endpoint?: string }, Delivery[]>(
    webhook,
    'deliveries',
    'deliveries with their attempts, newest first',
    async (services, flags) =>
      (
        await services.webhooks.listDeliveries(
          { organizationId: flags.org, endpointId: flags.endpoint, limit: 0 },
          operatorCall(),
        )
      ).deliveries,
    (deliveries) => ({ deliveries: deliveries.map(deliveryRow) }),
  )
    .requiredOption('--org <id>')
    .option('--endpoint <id>');

  verb<RedeliverFlags>(
    webhook,
    'redeliver [id]',
    'send a delivery again, with the same webhook-id; without an id: what has not arrived of a period, oldest first',
    (services, { org: organizationId, endpoint: endpointId, from, to }, id) => {
      if (id !== undefined) return services.webhooks.redeliver({ deliveryId: id, organizationId }, operatorCall());
      if (organizationId === undefined && endpointId === undefined)
        throw new Error('name a delivery, or --org or --endpoint with a period');
      return services.webhooks.redeliverPeriod({ organizationId, endpointId, from, to }, operatorCall(CATCH_UP_MS));
    },
  )
    .option('--org <id>', 'of all its enabled endpoints')
    .option('--endpoint <id>')
    .option('--from <time>', 'made at or after, e.g. 2026-03-01T09:30:00Z; from the first when left out', timeOf)
    .option('--to <time>', 'made before; until now when left out', timeOf);
}
