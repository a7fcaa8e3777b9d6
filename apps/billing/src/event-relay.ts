import { connectEvents, startOutboxRelay, type NatsConnection } from '@invoicing/events';
import { type Collection, type DueWorker } from '@invoicing/mongo';
import { type Logger } from '@invoicing/telemetry';

export interface EventRelay {
  /** An event was written; publish it soon. */
  wake: () => void;
  close: () => Promise<void>;
}

/** Publishes the events that documents carry. The broker may come and go: invoices are issued without it, and nothing is lost. */
export function startEventRelay(options: {
  natsUrl: string;
  collections: readonly Collection[];
  log: Logger;
}): EventRelay {
  const { natsUrl, collections, log } = options;
  const stopping = new AbortController();
  let running: { connection: NatsConnection; relay: DueWorker } | undefined;
  const starting = start().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ error }, 'event relay did not start');
  });
  return {
    wake: () => running?.relay.wake(),
    close: async () => {
      stopping.abort();
      await starting;
      await running?.relay.close();
      await running?.connection.close();
    },
  };

  async function start(): Promise<void> {
    const connection = await connectEvents({
      url: natsUrl,
      name: 'billing',
      onWaiting: (message) => log.warn(message),
      signal: stopping.signal,
    });
    const onError = (error: unknown): void => log.error({ error }, 'events are not published');
    running = { connection, relay: startOutboxRelay({ connection, source: 'billing', collections, onError }) };
  }
}
