import { connect, nanos, RetentionPolicy, StorageType, type JetStreamManager, type NatsConnection } from 'nats';

export type { NatsConnection };

/** The one stream; every event's subject is `events.<type>`. */
export const STREAM = 'EVENTS';
export const SUBJECTS = 'events.>';

const RETRY_MS = 500;
const DAY_MS = 86_400_000;
// Longer than the outbox waits before it publishes again, so that a repeat is recognised.
const DUPLICATE_WINDOW_MS = 120_000;

/** Connects, waiting as long as it takes and saying so, and reconnects for ever. Makes the stream if it is not there. */
export async function connectEvents(options: {
  url: string;
  name: string;
  onWaiting?: (message: string) => void;
}): Promise<NatsConnection> {
  for (;;) {
    try {
      const connection = await connect({
        servers: options.url.split(','),
        name: options.name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        timeout: 5_000,
      });
      await ensureStream(await connection.jetstreamManager());
      return connection;
    } catch (error) {
      options.onWaiting?.(`waiting for NATS: ${(error as Error).message}`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Safe to call by every process at once, and again after the broker lost its folder. */
export async function ensureStream(manager: JetStreamManager): Promise<void> {
  const config = {
    name: STREAM,
    subjects: [SUBJECTS],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    max_age: nanos(7 * DAY_MS),
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
  try {
    await manager.streams.info(STREAM);
  } catch {
    // Not there: whoever comes first makes it; the same configuration again is no error.
    await manager.streams.add(config);
  }
}
