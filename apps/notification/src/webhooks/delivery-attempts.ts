import {
  Counter,
  Histogram,
  SpanKind,
  deliveryLag,
  inSpan,
  injectTrace,
  storedTrace,
  type Logger,
} from '@invoicing/telemetry';
import type { AttemptRecord, DeliveryDocument, DeliveryStore } from './delivery-store';
import type { EndpointDocument, EndpointStore } from './endpoint-store';
import { FAILING_LIMIT_MS, nextAttempt } from './retry-schedule';
import type { SecretSealer } from '@invoicing/secrets';
import { webhookHeaders } from './sign-webhook';
import type { AttemptResult, WebhookClient } from './webhook-client';

export interface AttemptPorts {
  readonly deliveries: DeliveryStore;
  readonly endpoints: EndpointStore;
  readonly client: WebhookClient;
  readonly secrets: SecretSealer;
  readonly log: Logger;
}

interface Attempted extends AttemptResult {
  readonly at: Date;
}

const GONE = 410;

const attemptsMade = new Counter({
  name: 'webhook_attempts_total',
  help: 'Webhook attempts by how they ended',
  labelNames: ['outcome'],
});
const attemptDuration = new Histogram({
  name: 'webhook_attempt_duration_seconds',
  help: 'Duration of webhook attempts',
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 15],
});

/** One attempt at a delivery, and what follows from how it went. */
export function deliveryAttempts({ deliveries, endpoints, client, secrets, log }: AttemptPorts) {
  return {
    /** Signs and posts; never throws for what the endpoint does. */
    make: async (
      delivery: DeliveryDocument,
      endpoint: EndpointDocument,
    ): Promise<{ result: Attempted; delivered: boolean }> => {
      const at = new Date();
      const valid = endpoint.secrets.filter(({ validUntil }) => validUntil === undefined || validUntil > at);
      const keys = valid.map(({ sealed }) => secrets.open(sealed, endpoint._id));
      const headers = webhookHeaders(keys, delivery.eventId, at, delivery.body);
      const result = await inSpan(
        'POST webhook',
        SpanKind.CLIENT,
        storedTrace(delivery.traceparent),
        (trace) => client.post(endpoint.url, { ...headers, ...injectTrace(trace) }, delivery.body),
        { 'webhook.endpoint': endpoint._id },
      );
      const delivered = isDelivered(result);
      attemptsMade.inc({ outcome: delivered ? 'delivered' : result.error || 'refused_status' });
      attemptDuration.observe(result.durationMs / 1000);
      if (delivered) deliveryLag.observe((Date.now() - delivery.createdAt.getTime()) / 1000);
      return { result: { at, ...result }, delivered };
    },

    /** Logs the attempt in the delivery; plans the next one, or disables the endpoint. */
    store: async (
      delivery: DeliveryDocument,
      endpoint: EndpointDocument,
      { retryAfterMs, ...record }: Attempted,
    ): Promise<void> => {
      if (isDelivered(record)) {
        await deliveries.markDelivered(delivery, record);
        if (endpoint.failingSince) await endpoints.markWorking(endpoint);
        return;
      }
      const { status, error: code } = record;
      const tries = delivery.tries + 1;
      const dueAt = status === GONE ? undefined : nextAttempt(tries, new Date(), Math.random(), retryAfterMs);
      log.info({ deliveryId: delivery._id, status, code, tries, dueAt }, 'webhook not taken');
      await deliveries.markAttempted(delivery, record, dueAt);
      await afterFailure(endpoint, record);
    },
  };

  async function afterFailure(endpoint: EndpointDocument, { at, status }: AttemptRecord): Promise<void> {
    const failedLong = endpoint.failingSince && at.getTime() - endpoint.failingSince.getTime() > FAILING_LIMIT_MS;
    if (status === GONE || failedLong) {
      const reason = status === GONE ? 'gone' : 'failing';
      await endpoints.disable(endpoint, reason);
      await deliveries.failPending(endpoint);
      log.warn({ endpointId: endpoint._id, reason }, 'webhook endpoint disabled');
    } else if (!endpoint.failingSince) await endpoints.markFailing(endpoint, at);
  }
}

const isDelivered = ({ status }: Pick<AttemptResult, 'status'>): boolean => status >= 200 && status < 300;
