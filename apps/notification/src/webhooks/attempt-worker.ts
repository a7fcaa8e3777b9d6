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
import { TaskPool } from '@invoicing/concurrency';
import type { SecretSealer } from '@invoicing/secrets';
import { attempted, isDelivered, type Delivery } from './delivery';
import type { DeliveryStore } from './delivery-store';
import { afterAttempt, validSecrets, type Endpoint } from './endpoint';
import type { EndpointStore } from './endpoint-store';
import type { EndpointSlots } from './endpoint-slots';
import { webhookHeaders } from './sign-webhook';
import type { AttemptResult, WebhookClient } from './webhook-client';

export interface AttemptPorts {
  readonly deliveries: DeliveryStore;
  readonly endpoints: EndpointStore;
  readonly client: WebhookClient;
  readonly secrets: SecretSealer;
  readonly log: Logger;
}

export interface RunningPorts extends AttemptPorts {
  readonly slots: EndpointSlots;
  readonly leaseMs: number;
  /** An attempt failed: another is due in a while. */
  readonly onFailed: () => void;
}

export type RunningAttempts = ReturnType<typeof runningAttempts>;

const RENEWALS = 4;

/** The attempts of this process. Each uses a slot of its endpoint, and its lease is renewed until its outcome is stored. */
export function runningAttempts({ slots, leaseMs, onFailed, ...ports }: RunningPorts) {
  const { deliveries, log } = ports;
  const startedAt = new Map<Delivery, number>();
  const recording = new TaskPool();

  const renewing = setInterval(() => {
    const old = [...startedAt].filter(([, at]) => Date.now() - at >= leaseMs / RENEWALS).map(([each]) => each);
    deliveries
      .renew(old, new Date(Date.now() + leaseMs))
      .catch((error: unknown) => log.warn({ error }, 'leases of webhook deliveries not renewed'));
  }, leaseMs / RENEWALS);

  return {
    /** Begins a delivery that is leased to us, in a slot that is reserved for it. `onEnd`: it was sent, or not begun. */
    begin: (delivery: Delivery, endpoint: Endpoint, onEnd: () => void = () => undefined): void => {
      const begunAt = Date.now();
      slots.start(endpoint._id, async () => {
        try {
          // It was in the backlog until the lease was nearly over: it is found again when it is.
          return Date.now() - begunAt <= leaseMs / 2 && (await attempt(delivery, endpoint));
        } finally {
          onEnd();
        }
      });
    },

    /** Waits until the outcome of every attempt is stored; `slots` are closed before. */
    close: async (): Promise<void> => {
      await recording.idle();
      clearInterval(renewing);
    },
  };

  /** Answers whether it was delivered. The slot is free while the outcome is being written. */
  async function attempt(delivery: Delivery, endpoint: Endpoint): Promise<boolean> {
    startedAt.set(delivery, Date.now());
    const onError = (error: unknown): void => {
      // The lease runs out and the attempt is made again, with the same webhook-id.
      log.error({ error, deliveryId: delivery._id }, 'webhook not attempted, or its outcome not stored');
    };
    try {
      const made = await makeAttempt(ports, delivery, endpoint);
      const recorded = recordAttempt(ports, delivery, endpoint, made).catch(onError);
      recording.add(recorded.finally(() => (startedAt.delete(delivery), isDelivered(made) || onFailed())));
      return isDelivered(made);
    } catch (error) {
      startedAt.delete(delivery);
      onError(error);
      return false;
    }
  }
}

/** An attempt that was made, and when it began. */
interface MadeAttempt extends AttemptResult {
  readonly at: Date;
}

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

/** As if the endpoint had answered so; it is not asked. */
const FAILED_ON_PURPOSE: AttemptResult = {
  status: 500,
  error: '',
  durationMs: 0,
  excerpt: 'Test-Scenario: webhook_500',
  retryAfterMs: undefined,
};

const isToFail = ({ testScenario, attempts }: Delivery): boolean =>
  testScenario === 'webhook_500' && attempts.length === 0;

/** Signs and posts; never throws for what the endpoint does. */
async function makeAttempt(
  { client, secrets }: Pick<AttemptPorts, 'client' | 'secrets'>,
  delivery: Delivery,
  endpoint: Endpoint,
): Promise<MadeAttempt> {
  const at = new Date();
  const keys = validSecrets(endpoint, at).map(({ sealed }) => secrets.open(sealed, endpoint._id));
  const headers = webhookHeaders(keys, delivery.eventId, at, delivery.body);
  const result = await inSpan(
    'POST webhook',
    SpanKind.CLIENT,
    storedTrace(delivery.traceparent),
    (trace) =>
      isToFail(delivery)
        ? Promise.resolve(FAILED_ON_PURPOSE)
        : client.post(endpoint.url, { ...headers, ...injectTrace(trace) }, delivery.body),
    { 'webhook.endpoint': endpoint._id },
  );
  attemptsMade.inc({ outcome: isDelivered(result) ? 'delivered' : result.error || 'refused_status' });
  attemptDuration.observe(result.durationMs / 1000);
  if (isDelivered(result)) deliveryLag.observe((Date.now() - delivery.createdAt.getTime()) / 1000);
  return { at, ...result };
}

/** Writes down how an attempt went: the delivery's next state, and what follows for the endpoint. */
async function recordAttempt(
  { deliveries, endpoints, log }: Pick<AttemptPorts, 'deliveries' | 'endpoints' | 'log'>,
  delivery: Delivery,
  endpoint: Endpoint,
  made: MadeAttempt,
): Promise<void> {
  const { retryAfterMs: _retryAfterMs, ...attempt } = made;
  const next = attempted(delivery, made, deliveries.now(delivery.organizationId), Math.random());
  if (!isDelivered(made)) {
    const { tries, dueAt } = next;
    log.info({ deliveryId: delivery._id, status: made.status, code: made.error, tries, dueAt }, 'webhook not taken');
  }
  await deliveries.record(delivery, attempt, next);

  const change = afterAttempt(endpoint, { ...made, at: deliveries.now(endpoint.organizationId) });
  switch (change.kind) {
    case 'none':
      return;
    case 'works_again':
      return endpoints.markWorking(endpoint);
    case 'fails':
      return endpoints.markFailing(endpoint, change.since);
    case 'disabled':
      await endpoints.disable(endpoint, change.reason);
      await deliveries.holdPending(endpoint);
      log.warn({ endpointId: endpoint._id, reason: change.reason }, 'webhook endpoint disabled');
  }
}
