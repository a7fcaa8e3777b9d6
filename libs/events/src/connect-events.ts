import { setTimeout } from 'node:timers/promises';
import { connect, nanos, RetentionPolicy, StorageType, type JetStreamManager, type NatsConnection } from 'nats';
import { keptMs } from '@invoicing/rules';
import { brokerOptions } from './broker-options';

export type { NatsConnection };

/** The one stream; every event's subject is `events.<type>`. */
export const STREAM = 'EVENTS';
export const SUBJECTS = 'events.>';

const RETRY_MS = 500;
const REPEAT_WAITING_MS = 10_000;
/** After this an event that nobody settled is published again. */
export const RESEND_MS = 30_000;
// Recognises what two replicas publish at once. Shorter than RESEND_MS: a broker that died may know an event's id and have lost the
// event for its consumer, so what is published again must get through; consumers take an event that comes twice once.
const DUPLICATE_WINDOW_MS = RESEND_MS / 2;

/**
 * Connects, waiting as long as it takes and saying so, and reconnects for ever. Makes the stream if it is not there.
 * Throws only when `signal` aborts the wait.
 */
export async function connectEvents(options: {
  url: string;
  name: string;
  onWaiting?: (message: string) => void;
  signal?: AbortSignal;
}): Promise<NatsConnection> {
  const sayWaiting = seldom(options.onWaiting);
  for (;;) {
    options.signal?.throwIfAborted();
    let connection: NatsConnection | undefined;
    try {
      connection = await connect({
        ...brokerOptions(options.url),
        name: options.name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        timeout: 5_000,
      });
      await ensureStream(await connection.jetstreamManager());
      return connection;
    } catch (error) {
      await connection?.close();
      sayWaiting(`waiting for NATS: ${(error as Error).message}`);
      await setTimeout(RETRY_MS, undefined, options);
    }
  }
}

/** Safe to call by every process at once, and again after the broker lost its folder. */
export async function ensureStream(manager: JetStreamManager): Promise<void> {
  try {
    const { config } = await manager.streams.info(STREAM);
    const duplicate_window = nanos(DUPLICATE_WINDOW_MS);
    if (config.duplicate_window !== duplicate_window) await manager.streams.update(STREAM, { duplicate_window });
  } catch (error) {
    if ((error as { code?: string }).code !== '404') throw error;
    // Whoever comes first makes it; the same configuration again is no error.
    await manager.streams.add({
      name: STREAM,
      subjects: [SUBJECTS],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: nanos(keptMs('events')),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    });
  }
}

/** Says the same thing again only after a while. */
function seldom(say: (message: string) => void = () => undefined): (message: string) => void {
  let last = '';
  let saidAt = 0;
  return (message) => {
    if (message === last && Date.now() - saidAt < REPEAT_WAITING_MS) return;
    last = message;
    saidAt = Date.now();
    say(message);
  };
}
