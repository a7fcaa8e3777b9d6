import { randomUUID } from 'node:crypto';
import { held, leased, newDelivery, queued, type DeliveredEvent } from './delivery';
import type { DeliveryStore } from './delivery-store';
import type { Endpoint } from './endpoint';
import type { EndpointStore } from './endpoint-store';
import type { EndpointSlots } from './endpoint-slots';
import type { RunningAttempts } from './attempt-worker';

export interface AcceptPorts {
  readonly deliveries: DeliveryStore;
  readonly endpoints: EndpointStore;
  readonly slots: EndpointSlots;
  readonly running: RunningAttempts;
  readonly leaseMs: number;
  /** Queues what is held since `at` again. */
  readonly catchUp: (endpoint: Endpoint, at: Date) => Promise<void>;
}

/**
 * Writes down the delivery of an event to an endpoint, and begins it when the endpoint has a slot: it is stored already leased to us.
 * Without a slot it waits in the endpoint's queue; while the endpoint is disabled it is held. One that is there already is left alone.
 */
export async function acceptEvent(ports: AcceptPorts, endpoint: Endpoint, event: DeliveredEvent): Promise<void> {
  await (endpoint.enabled ? accept : hold)(ports, endpoint, event);
}

async function accept(
  { deliveries, slots, running, leaseMs }: AcceptPorts,
  endpoint: Endpoint,
  event: DeliveredEvent,
): Promise<void> {
  const { _id: endpointId } = endpoint;
  // In a burst a short wait here saves the store a claim.
  const hasSlot = await slots.reserveSoon(endpointId);
  const now = new Date();
  const state = hasSlot ? leased(randomUUID(), new Date(now.getTime() + leaseMs)) : queued(endpointId, now);
  const delivery = newDelivery(endpointId, event, now, state);
  let isNew = false;
  try {
    isNew = await deliveries.insertNew(delivery);
  } finally {
    if (!hasSlot) slots.notifyWhenFree(endpointId);
    else if (isNew) running.begin(delivery, endpoint);
    else slots.release(endpointId);
  }
}

async function hold({ deliveries, endpoints, catchUp }: AcceptPorts, endpoint: Endpoint, event: DeliveredEvent) {
  const createdAt = new Date();
  const isNew = await deliveries.insertNew(newDelivery(endpoint._id, event, createdAt, held));
  // Enabled meanwhile: its catch-up may have looked before this was there.
  const [now] = isNew ? await endpoints.findMany([endpoint]) : [];
  if (now?.enabled) await catchUp(endpoint, createdAt);
}
