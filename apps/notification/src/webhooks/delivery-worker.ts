import { randomUUID } from 'node:crypto';
import { activeTraceparent } from '@invoicing/telemetry';
import { startDueWorker } from '@invoicing/mongo';
import { deliveryAttempts, type AttemptPorts } from './delivery-attempts';
import type { DeliveryDocument } from './delivery-store';
import type { EndpointDocument, EndpointRef } from './endpoint-store';
import { openLanes, type LaneLimits } from './lanes';

export interface RunnerPorts extends AttemptPorts {
  readonly limits?: Partial<RunnerLimits>;
}

export interface RunnerLimits extends LaneLimits {
  /** Renewed while an attempt runs: what a process had taken that died goes on after this. */
  readonly leaseMs: number;
  readonly pollMs: number;
}

const LIMITS: RunnerLimits = { active: 16, line: 64, failing: 4, total: 2_048, leaseMs: 4_000, pollMs: 500 };
const BATCH = 256;
const RENEWALS = 4;
const MARK_AGAIN_MS = 1_000;
// Well above MARK_AGAIN_MS: whoever queued less than that ago has been seen by the look at the queue.
const CAUGHT_UP_MS = 10_000;

export type NewDelivery = Pick<DeliveryDocument, 'eventId' | 'eventType' | 'organizationId' | 'body' | 'traceparent'>;
export type DeliveryRunner = ReturnType<typeof startDeliveryRunner>;

/**
 * Makes the attempts. A new delivery is inserted already leased to us and attempted at once, when its endpoint has room; what has no
 * room waits in the endpoint's queue in the store; retries, and what a process that died had taken, come due there. The store is the
 * truth, memory only keeps order. A dead endpoint holds its own lane and queue, and nothing else.
 */
export function startDeliveryRunner({ limits, ...ports }: RunnerPorts) {
  const { deliveries, endpoints, log } = ports;
  const { leaseMs, pollMs, ...laneLimits } = { ...LIMITS, ...limits };
  // Endpoints that have a queue, as far as this process knows.
  const behind = new Set<string>();
  // Room is news only where something waits for it; what other processes have queued is found by the poll.
  const lanes = openLanes(laneLimits, (endpointId) => {
    if (endpointId === undefined ? behind.size > 0 : behind.has(endpointId)) worker.wake();
  });
  const attempts = deliveryAttempts(ports);
  const storing = new Set<Promise<void>>();
  const attempting = new Map<DeliveryDocument, number>();
  const marks = new Map<string, { at: number; stored: Promise<void> }>();
  const worker = startDueWorker({
    pollMs,
    onError: (error) => log.error({ error }, 'round of webhook deliveries failed'),
    round: async () => [await takeDue(), await takeQueued()].some(Boolean),
  });

  const renewing = setInterval(() => {
    const long = [...attempting].filter(([, since]) => Date.now() - since >= leaseMs / RENEWALS).map(([each]) => each);
    deliveries
      .renew(long, new Date(Date.now() + leaseMs))
      .catch((error: unknown) => log.warn({ error }, 'leases of webhook deliveries not renewed'));
  }, leaseMs / RENEWALS);

  return {
    wake: worker.wake,

    /** Writes down the deliveries of an event and begins them. Those that are there already are left alone. */
    deliver: async (event: NewDelivery, to: readonly EndpointDocument[]): Promise<void> => {
      const traceparent = activeTraceparent();
      await Promise.all(to.map((endpoint) => deliverTo(endpoint, { ...event, ...(traceparent && { traceparent }) })));
    },

    /** Takes nothing more and waits for the attempts that are running. */
    close: async (): Promise<void> => {
      await worker.close();
      await lanes.close();
      await Promise.all(storing);
      clearInterval(renewing);
    },
  };

  async function deliverTo(endpoint: EndpointDocument, event: NewDelivery): Promise<void> {
    const { _id: endpointId } = endpoint;
    // In a burst a short wait here saves the store a claim.
    const ours = await lanes.reserveSoon(endpointId);
    if (!ours) await markBehind(endpoint);
    const now = new Date();
    const delivery: DeliveryDocument = {
      _id: `${event.eventId}:${endpointId}`,
      ...event,
      endpointId,
      status: 'pending',
      tries: 0,
      attempts: [],
      createdAt: now,
      ...(ours
        ? { dueAt: new Date(now.getTime() + leaseMs), lease: randomUUID() }
        : { queue: endpointId, queuedAt: now }),
    };
    let isNew = false;
    try {
      isNew = await deliveries.insertNew(delivery);
    } finally {
      if (ours && isNew) begin(delivery, endpoint);
      else if (ours) lanes.cancel(endpointId);
    }
  }

  function begin(delivery: DeliveryDocument, endpoint: EndpointDocument): void {
    const begunAt = Date.now();
    const onError = (error: unknown): void => {
      // The lease runs out and the attempt is made again, with the same webhook-id.
      log.error({ error, deliveryId: delivery._id }, 'webhook not attempted, or its outcome not stored');
    };
    lanes.start(endpoint._id, async () => {
      // It stood in line until the lease was nearly over: it is found again when it is.
      if (Date.now() - begunAt > leaseMs / 2) return false;
      attempting.set(delivery, Date.now());
      try {
        const { result, delivered } = await attempts.make(delivery, endpoint);
        // The place is free while the outcome is being written.
        const stored = attempts
          .store(delivery, endpoint, result)
          .catch(onError)
          .finally(() => {
            storing.delete(stored);
            attempting.delete(delivery);
          });
        storing.add(stored);
        return delivered;
      } catch (error) {
        attempting.delete(delivery);
        onError(error);
        return false;
      }
    });
  }

  /** What is due: retries, and what was left by a process that died. What its lane has no room for goes to the lane's queue. */
  async function takeDue(): Promise<boolean> {
    const found = await deliveries.due(BATCH);
    const [mine, rest] = partition(found, ({ endpointId }) => lanes.reserve(endpointId));
    await take(mine);
    for (const endpoint of endpointsOf(rest)) await markBehind(endpoint);
    await deliveries.enqueue(rest);
    return found.length === BATCH;
  }

  /** What waits for lanes that have room now. */
  async function takeQueued(): Promise<boolean> {
    let more = false;
    for (const endpoint of await endpoints.behind()) {
      const { _id: endpointId, behindAt } = endpoint;
      behind.add(endpointId);
      const free = Math.min(BATCH, lanes.free(endpointId));
      if (free === 0) continue;
      const queued = await deliveries.queued(endpoint, free);
      if (queued.length === 0) behind.delete(endpointId);
      await take(queued.filter(() => lanes.reserve(endpointId)));
      if (queued.length === 0 && Date.now() - behindAt!.getTime() > CAUGHT_UP_MS)
        await endpoints.markCaughtUp(endpoint, behindAt!);
      if (queued.length === free && lanes.free(endpointId) > 0) more = true;
    }
    return more;
  }

  /** Claims deliveries for which places are reserved, and begins those that nobody else took first. */
  async function take(found: readonly DeliveryDocument[]): Promise<void> {
    if (found.length === 0) return;
    const begun = new Set<string>();
    try {
      const claimed = await deliveries.claim(found, new Date(Date.now() + leaseMs));
      const known = await endpoints.findMany(endpointsOf(claimed));
      const byId = new Map(known.map((endpoint) => [endpoint._id, endpoint]));
      for (const delivery of claimed) {
        const endpoint = byId.get(delivery.endpointId);
        if (!endpoint?.enabled) continue;
        begun.add(delivery._id);
        begin(delivery, endpoint);
      }
      const disabled = claimed.filter(({ endpointId }) => !byId.get(endpointId)?.enabled);
      for (const endpoint of endpointsOf(disabled)) await deliveries.failPending(endpoint);
    } finally {
      for (const { _id, endpointId } of found) if (!begun.has(_id)) lanes.cancel(endpointId);
    }
  }

  /** Tells every process that the endpoint has a queue; seldom enough to cost nothing, often enough for `markCaughtUp`. */
  function markBehind(endpoint: EndpointRef): Promise<void> {
    const { _id: endpointId } = endpoint;
    behind.add(endpointId);
    const now = Date.now();
    const last = marks.get(endpointId);
    if (last && now - last.at < MARK_AGAIN_MS) return last.stored;
    const stored = endpoints.markBehind(endpoint);
    marks.set(endpointId, { at: now, stored });
    stored.catch(() => marks.delete(endpointId));
    return stored;
  }
}

/** Each endpoint once. */
const endpointsOf = (all: readonly DeliveryDocument[]): EndpointRef[] => [
  ...new Map(all.map(({ organizationId, endpointId }) => [endpointId, { organizationId, _id: endpointId }])).values(),
];

function partition<T>(all: readonly T[], belongs: (each: T) => boolean): [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const each of all) (belongs(each) ? first : second).push(each);
  return [first, second];
}
