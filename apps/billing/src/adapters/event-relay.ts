import type { Collection, Document } from 'mongodb';
import { connectEvents, startOutboxRelay } from '@invoicing/events';
import { type Logger } from '@invoicing/telemetry';

const CLOSE_MS = 1_000;

export interface EventRelay {
  /** An event was written; publish it soon. */
  wake(): void;
  close(): Promise<void>;
}

/** Publishes the events that documents carry. The broker may come and go: invoices are issued without it, and nothing is lost. */
export function startEventRelay(options: {
  natsUrl: string;
  collections: readonly Collection<Document>[];
  log: Logger;
}): EventRelay {
  const { natsUrl, collections, log } = options;
  let closed = false;
  const starting = connectEvents({
    url: natsUrl,
    name: 'billing',
    onWaiting: (message) => {
      log.warn(message);
      if (closed) throw new Error('closed before NATS was there');
    },
  }).then((connection) => {
    const onError = (error: unknown): void => log.error({ error }, 'events are not published');
    return { connection, relay: startOutboxRelay({ connection, source: 'billing', collections, onError }) };
  });
  let running: Awaited<typeof starting> | undefined;
  starting.then(
    (started) => {
      running = started;
      if (closed) void stop();
    },
    (error: unknown) => log.warn({ error }, 'event relay did not start'),
  );
  const stop = async (): Promise<void> => {
    await running?.relay.close();
    await running?.connection.close();
  };
  return {
    wake: () => running?.relay.wake(),
    close: async () => {
      closed = true;
      // A broker that does not answer is not waited for.
      const settled = starting.catch(() => undefined);
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
      await stop();
    },
  };
}
