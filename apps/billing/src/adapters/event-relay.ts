import type { Collection, Document } from 'mongodb';
import { connectEvents, startOutboxRelay } from '@invoicing/events';
import { type Logger } from '@invoicing/telemetry';

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
  let wake = (): void => undefined;
  starting.then(
    ({ relay }) => (wake = relay.wake),
    (error: unknown) => log.warn({ error }, 'event relay did not start'),
  );
  return {
    wake: () => wake(),
    close: async () => {
      closed = true;
      const started = await starting.catch(() => undefined);
      await started?.relay.close();
      await started?.connection.close();
    },
  };
}
