import { TaskPool } from '@invoicing/concurrency';
import { isDelivered, type Delivery } from './delivery';
import type { Endpoint } from './endpoint';
import type { EndpointSlots } from './endpoint-slots';
import { makeAttempt, recordAttempt, type AttemptPorts } from './make-attempt';

export interface RunningPorts extends AttemptPorts {
  readonly slots: EndpointSlots;
  readonly leaseMs: number;
}

export type RunningAttempts = ReturnType<typeof runningAttempts>;

const RENEWALS = 4;

/** The attempts of this process. Each uses a slot of its endpoint, and its lease is renewed until its outcome is stored. */
export function runningAttempts({ slots, leaseMs, ...ports }: RunningPorts) {
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
      recording.add(recorded.finally(() => startedAt.delete(delivery)));
      return isDelivered(made);
    } catch (error) {
      startedAt.delete(delivery);
      onError(error);
      return false;
    }
  }
}
