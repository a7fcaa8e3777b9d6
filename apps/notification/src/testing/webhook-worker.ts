import { connectMongo } from '@invoicing/mongo';
import { createLogger } from '@invoicing/telemetry';
import { subscribeToEvents } from '../event-subscription';
import { eventHandler } from '../event-handler';
import { startDeliveryRunner } from '../webhooks/delivery-worker';
import { openDeliveryStore } from '../webhooks/delivery-store';
import type { Endpoint } from '../webhooks/endpoint';
import { openEndpointStore } from '../webhooks/endpoint-store';
import { webhookSecrets } from '../webhooks/webhook-secrets';
import { webhookClient } from '../webhooks/webhook-client';

export interface WebhookWorkerOptions {
  readonly mongoUri: string;
  readonly natsUrl: string;
  readonly timeLimitMs?: number;
  readonly leaseMs?: number;
}

const CONNECTIONS = 32;

/** What of notification delivers webhooks, with times that a test can wait for. */
export async function startWebhookWorker({
  mongoUri,
  natsUrl,
  timeLimitMs = 15_000,
  leaseMs = 4_000,
}: WebhookWorkerOptions) {
  const log = createLogger('webhook-worker', process.env['LOG_LEVEL'] ?? 'silent');
  const connection = await connectMongo({ uri: mongoUri, database: 'notification' });
  const endpoints = await openEndpointStore(connection);
  const deliveries = await openDeliveryStore(connection);
  const client = webhookClient({ allowLoopback: true, connections: CONNECTIONS, timeLimitMs });
  const runner = startDeliveryRunner({
    deliveries,
    endpoints,
    client,
    secrets: webhookSecrets(undefined),
    log,
    limits: { leaseMs },
  });
  const nothing = { request: async () => undefined };
  const handle = eventHandler({
    ...{
      mailer: { request: async () => false },
      letters: nothing,
      peppol: nothing,
      onDue: () => undefined,
      endpoints,
      runner,
    },
    ...{ testEvents: { add: async () => undefined }, isTest: () => false },
  });
  const events = subscribeToEvents(natsUrl, handle, log);
  return {
    endpoints,
    deliveries,
    close: async () => {
      await events.close();
      await client.close();
      await runner.close();
      await connection.close();
    },
  };
}

export const testEndpoint = (id: string, organizationId: string, url: string, secret: string): Endpoint => ({
  _id: id,
  organizationId,
  url,
  events: ['invoice.paid'],
  enabled: true,
  disabledReason: '',
  secrets: [{ sealed: secret }],
  createdAt: new Date(),
});
