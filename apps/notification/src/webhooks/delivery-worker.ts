import { startDueWorker } from '@invoicing/mongo';
import { activeTraceparent } from '@invoicing/telemetry';
import { acceptEvent } from './accept-event';
import type { DeliveredEvent, DeliveryStatus, Period } from './delivery';
import type { Endpoint, EndpointRef } from './endpoint';
import { EndpointSlots, type SlotLimits } from './endpoint-slots';
import type { AttemptPorts } from './attempt-worker';
import { runningAttempts } from './attempt-worker';
import { takeDeliveries } from './take-deliveries';

export interface RunnerPorts extends AttemptPorts {
  readonly limits?: Partial<RunnerLimits>;
}

export interface RunnerLimits extends SlotLimits {
  /** Renewed while an attempt runs: what a process had taken that died goes on after this. */
  readonly leaseMs: number;
  readonly pollMs: number;
}

const LIMITS: RunnerLimits = { active: 16, backlog: 64, failing: 4, total: 2_048, leaseMs: 4_000, pollMs: 500 };

export type DeliveryRunner = ReturnType<typeof startDeliveryRunner>;

/**
 * Makes the attempts. A new delivery is inserted already leased to us and attempted at once, when its endpoint has a slot; what has
 * none waits in the endpoint's queue in the store; retries, and what a process that died had taken, come due there. What is to be done
 * is known by the store only; memory holds what this process is doing. A dead endpoint holds its own slots and queue, and nothing else.
 */
export function startDeliveryRunner({ limits, ...ports }: RunnerPorts) {
  const { deliveries, log } = ports;
  const { leaseMs, pollMs, ...slotLimits } = { ...LIMITS, ...limits };
  const wake = (): void => worker.wake();
  const slots = new EndpointSlots(slotLimits, wake);
  const running = runningAttempts({ ...ports, slots, leaseMs, onFailed: wake });
  const { takeDue, takeQueued } = takeDeliveries({ ...ports, slots, running, leaseMs, wake });
  const worker = startDueWorker({
    pollMs,
    onError: (error) => log.error({ error }, 'round of webhook deliveries failed'),
    round: async () => {
      const isMoreDue = await takeDue();
      await takeQueued();
      return isMoreDue;
    },
  });
  const redeliver = async (endpoint: EndpointRef, statuses: readonly DeliveryStatus[], period: Period) => {
    const count = await deliveries.requeue(endpoint, statuses, period);
    wake();
    return count;
  };
  const catchUp = async (endpoint: Endpoint, at: Date): Promise<void> => {
    await redeliver(endpoint, ['held'], { from: at, to: new Date(at.getTime() + 1) });
  };
  const accepting = { ...ports, slots, running, leaseMs, catchUp };

  return {
    wake,

    /** Writes down the deliveries of an event and begins them. */
    deliver: async (event: DeliveredEvent, to: readonly Endpoint[]): Promise<void> => {
      const traceparent = activeTraceparent();
      const traced = { ...event, ...(traceparent && { traceparent }) };
      await Promise.all(to.map((endpoint) => acceptEvent(accepting, endpoint, traced)));
    },

    /** Sends again, oldest first, what of the period is in one of these states; answers how much that is. */
    redeliver,

    /** Takes nothing more and waits for the attempts that are running. */
    close: async (): Promise<void> => {
      await worker.close();
      await slots.close();
      await running.close();
    },
  };
}
