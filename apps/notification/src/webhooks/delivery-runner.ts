import { randomUUID } from 'node:crypto';
import {
  Counter,
  Histogram,
  SpanKind,
  activeTraceparent,
  deliveryLag,
  inSpan,
  injectTrace,
  storedTrace,
  type Logger,
} from '@invoicing/telemetry';
import { startDueWorker } from '@invoicing/mongo';
import type { DeliveryDocument, DeliveryStore } from './delivery-store';
import type { EndpointDocument, EndpointStore } from './endpoint-store';
import { FAILING_LIMIT_MS, nextAttempt } from './retry-schedule';
import type { SecretBox } from './secret-box';
import { webhookHeaders } from './sign-webhook';
import type { WebhookClient } from './webhook-client';

export interface RunnerDeps {
  readonly deliveries: DeliveryStore;
  readonly endpoints: EndpointStore;
  readonly client: WebhookClient;
  readonly secrets: SecretBox;
  readonly log: Logger;
  readonly limits?: Partial<RunnerLimits>;
}

export interface RunnerLimits {
  /** Attempts at one endpoint at once: a dead one holds no more than these. */
  readonly perEndpoint: number;
  readonly total: number;
  /** Longer than an attempt can take. */
  readonly leaseMs: number;
  readonly pollMs: number;
}

const LIMITS: RunnerLimits = { perEndpoint: 16, total: 512, leaseMs: 30_000, pollMs: 500 };
const BATCH = 128;

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

export type NewDelivery = Pick<DeliveryDocument, 'eventId' | 'eventType' | 'organizationId' | 'body'>;
export type DeliveryRunner = ReturnType<typeof startDeliveryRunner>;

/**
 * Makes the attempts. A new delivery is inserted already leased to us and attempted at once, when its endpoint has room; what has no
 * room, is due again, or was left by a process that died, is found by the poll. The store is the truth, memory only counts.
 */
export function startDeliveryRunner({ deliveries, endpoints, client, secrets, log, limits }: RunnerDeps) {
  const { perEndpoint, total, leaseMs, pollMs } = { ...LIMITS, ...limits };
  const busy = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let taken = 0;
  let closing = false;

  const worker = startDueWorker({
    pollMs,
    onError: (error) => log.error({ error }, 'round of webhook deliveries failed'),
    round: attemptDue,
  });

  return {
    wake: worker.wake,

    /** Writes down the deliveries of an event and begins them. Those that are there already are left alone. */
    deliver: async (event: NewDelivery, to: readonly EndpointDocument[]): Promise<void> => {
      const now = new Date();
      const traceparent = activeTraceparent();
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const made = to.map((endpoint) => {
        const ours = reserve(endpoint._id);
        const delivery: DeliveryDocument = {
          _id: `${event.eventId}:${endpoint._id}`,
          ...event,
          endpointId: endpoint._id,
          status: 'pending',
          tries: 0,
          attempts: [],
          createdAt: now,
          ...(traceparent && { traceparent }),
          ...(ours ? { dueAt: leasedUntil, lease: randomUUID() } : { dueAt: now }),
        };
        return { endpoint, delivery, ours };
      });
      const reserved = made.filter(({ ours }) => ours);
      let inserted = new Set<string>();
      try {
        inserted = await deliveries.insertNew(made.map(({ delivery }) => delivery));
      } finally {
        for (const { endpoint, delivery } of reserved) {
          if (inserted.has(delivery._id)) begin(delivery, endpoint);
          else release(endpoint._id);
        }
      }
    },

    /** Begins nothing more and waits for the attempts that are running. */
    close: async (): Promise<void> => {
      closing = true;
      await worker.close();
      await Promise.all(running);
    },
  };

  function reserve(endpointId: string): boolean {
    const count = busy.get(endpointId) ?? 0;
    if (closing || count >= perEndpoint || taken >= total) return false;
    busy.set(endpointId, count + 1);
    taken++;
    return true;
  }

  function release(endpointId: string): void {
    const count = busy.get(endpointId)! - 1;
    if (count === 0) busy.delete(endpointId);
    else busy.set(endpointId, count);
    taken--;
    // It was full: there may be something waiting for the room.
    if (count === perEndpoint - 1 || taken === total - 1) worker.wake();
  }

  function begin(delivery: DeliveryDocument, endpoint: EndpointDocument): void {
    const work = attempt(delivery, endpoint)
      // The lease runs out and the attempt is made again, with the same webhook-id.
      .catch((error: unknown) => log.error({ error, deliveryId: delivery._id }, 'outcome of a webhook not stored'))
      .finally(() => {
        running.delete(work);
        release(endpoint._id);
      });
    running.add(work);
  }

  async function attemptDue(): Promise<boolean> {
    if (closing || taken >= total) return false;
    const full = [...busy].filter(([, count]) => count >= perEndpoint).map(([id]) => id);
    const found = await deliveries.due(full, BATCH);
    const mine = found.filter(({ endpointId }) => reserve(endpointId));
    const begun = new Set<string>();
    try {
      const claimed = await deliveries.claim(mine, new Date(Date.now() + leaseMs));
      const known = await endpoints.findMany([...new Set(claimed.map(({ endpointId }) => endpointId))]);
      const byId = new Map(known.map((endpoint) => [endpoint._id, endpoint]));
      for (const delivery of claimed) {
        const endpoint = byId.get(delivery.endpointId);
        if (!endpoint?.enabled) continue;
        begun.add(delivery._id);
        begin(delivery, endpoint);
      }
      const disabled = claimed.filter(({ endpointId }) => !byId.get(endpointId)?.enabled);
      for (const id of new Set(disabled.map(({ endpointId }) => endpointId))) await deliveries.failPending(id);
    } finally {
      for (const { _id, endpointId } of mine) if (!begun.has(_id)) release(endpointId);
    }
    // More may be due: of these endpoints, or hidden behind one that was found full just now.
    return found.length === BATCH && mine.length > 0;
  }

  async function attempt(delivery: DeliveryDocument, endpoint: EndpointDocument): Promise<void> {
    const at = new Date();
    const valid = endpoint.secrets.filter(({ validUntil }) => validUntil === undefined || validUntil > at);
    const keys = valid.map(({ sealed }) => secrets.open(sealed, endpoint._id));
    const headers = webhookHeaders(keys, delivery.eventId, at, delivery.body);
    const { retryAfterMs, ...result } = await inSpan(
      'POST webhook',
      SpanKind.CLIENT,
      storedTrace(delivery.traceparent),
      (trace) => client.post(endpoint.url, { ...headers, ...injectTrace(trace) }, delivery.body),
      { 'webhook.endpoint': endpoint._id },
    );
    const delivered = result.status >= 200 && result.status < 300;
    attemptsMade.inc({ outcome: delivered ? 'delivered' : result.error || 'refused_status' });
    attemptDuration.observe(result.durationMs / 1000);
    if (delivered) {
      deliveryLag.observe((Date.now() - delivery.createdAt.getTime()) / 1000);
      await deliveries.markDelivered(delivery, { at, ...result });
      if (endpoint.failingSince) await endpoints.markWorking(endpoint._id);
      return;
    }
    const now = new Date();
    const dueAt = nextAttempt(delivery.tries + 1, now, Math.random(), retryAfterMs);
    const { status, error } = result;
    log.info({ deliveryId: delivery._id, status, code: error, tries: delivery.tries + 1, dueAt }, 'webhook not taken');
    await deliveries.markAttempted(delivery, { at, ...result }, status === GONE ? undefined : dueAt);
    await afterFailure(endpoint, at, status);
  }

  async function afterFailure(endpoint: EndpointDocument, at: Date, status: number): Promise<void> {
    const failedLong = endpoint.failingSince && at.getTime() - endpoint.failingSince.getTime() > FAILING_LIMIT_MS;
    if (status === GONE || failedLong) {
      const reason = status === GONE ? 'gone' : 'failing';
      await endpoints.disable(endpoint._id, reason);
      await deliveries.failPending(endpoint._id);
      log.warn({ endpointId: endpoint._id, reason }, 'webhook endpoint disabled');
    } else if (!endpoint.failingSince) await endpoints.markFailing(endpoint._id, at);
  }
}

const GONE = 410;
