import type { Delivery } from './delivery';
import type { DeliveryStore } from './delivery-store';
import type { EndpointRef } from './endpoint';
import type { EndpointStore } from './endpoint-store';
import type { EndpointSlots } from './endpoint-slots';
import type { RunningAttempts } from './attempt-worker';

export interface TakePorts {
  readonly deliveries: DeliveryStore;
  readonly endpoints: EndpointStore;
  readonly slots: EndpointSlots;
  readonly running: RunningAttempts;
  readonly leaseMs: number;
  /** There may be more to take. */
  readonly wake: () => void;
}

const BATCH = 256;
const QUEUES_A_ROUND = 256;

/** Takes from the store what this process has slots for. Both answer whether there is more to take at once. */
export function takeDeliveries({ deliveries, endpoints, slots, running, leaseMs, wake }: TakePorts) {
  // Endpoints that are being sent a redelivery by period.
  const inOrder = new Set<string>();
  // Where the next round goes on when there were more queues than one looks at.
  let lastQueue = '';

  return {
    /** What is due: retries, and what was left by a process that died. What its endpoint has no slot for goes to its queue. */
    takeDue: async (): Promise<boolean> => {
      const found = await deliveries.due(BATCH);
      const [mine, rest] = partition(found, ({ endpointId }) => slots.reserve(endpointId));
      await take(mine);
      await deliveries.enqueue(rest);
      return found.length === BATCH;
    },

    /** The oldest of each queue, for endpoints that have slots now. */
    takeQueued: async (): Promise<void> => {
      for (let count = 0; count < QUEUES_A_ROUND; count++) {
        const first = await deliveries.firstOfNextQueue(lastQueue);
        lastQueue = first?.endpointId ?? '';
        if (!first) return;
        await (first.inOrder ? takeInOrder(first) : takeQueue(refOf(first)));
      }
    },
  };

  async function takeInOrder(first: Delivery): Promise<void> {
    const { endpointId } = first;
    if (inOrder.has(endpointId)) return;
    if (!slots.reserve(endpointId)) return slots.notifyWhenFree(endpointId);
    inOrder.add(endpointId);
    await take([first], () => {
      inOrder.delete(endpointId);
      wake();
    });
  }

  async function takeQueue(endpoint: EndpointRef): Promise<void> {
    const free = Math.min(BATCH, slots.free(endpoint._id));
    const found = free > 0 ? await deliveries.queuedFor(endpoint, free) : [];
    await take(found.filter((each) => !each.inOrder && slots.reserve(endpoint._id)));
    if (found.length === free) slots.notifyWhenFree(endpoint._id);
  }

  /** Claims deliveries for which slots are reserved, and begins those that nobody else took first. */
  async function take(found: readonly Delivery[], onEnd?: () => void): Promise<void> {
    if (found.length === 0) return;
    const begun = new Set<string>();
    try {
      const claimed = await deliveries.claim(found, new Date(Date.now() + leaseMs));
      const known = await endpoints.findMany(refsOf(claimed));
      const byId = new Map(known.map((endpoint) => [endpoint._id, endpoint]));
      for (const delivery of claimed) {
        const endpoint = byId.get(delivery.endpointId);
        if (!endpoint?.enabled) continue;
        begun.add(delivery._id);
        running.begin(delivery, endpoint, onEnd);
      }
      const disabled = claimed.filter(({ endpointId }) => !byId.get(endpointId)?.enabled);
      for (const endpoint of refsOf(disabled)) await deliveries.holdPending(endpoint);
    } finally {
      for (const { endpointId } of found.filter(({ _id }) => !begun.has(_id))) {
        slots.release(endpointId);
        onEnd?.();
      }
    }
  }
}

const refOf = ({ organizationId, endpointId }: Delivery): EndpointRef => ({ organizationId, _id: endpointId });

/** Each endpoint once. */
const refsOf = (all: readonly Delivery[]): EndpointRef[] => [
  ...new Map(all.map((each) => [each.endpointId, refOf(each)])).values(),
];

function partition<T>(all: readonly T[], belongs: (each: T) => boolean): [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const each of all) (belongs(each) ? first : second).push(each);
  return [first, second];
}
