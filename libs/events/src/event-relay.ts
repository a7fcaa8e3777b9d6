import type { NatsConnection } from 'nats';
import { nativeCollection, type Collection, type Document, type DueWorker, type Model } from '@invoicing/mongo';
import { type Logger } from '@invoicing/telemetry';
import { connectEvents } from './connect-events';
import { startOutboxRelay } from './outbox-relay';

/** Publishes what documents carry. */
export interface EventRelay {
  /** An event was written; publish it soon. */
  wake: () => void;
  close: () => Promise<void>;
}

/** Publishes the events that a service's documents carry. The broker may come and go: the service works without it, and nothing is lost. */
export function startEventRelay(options: {
  natsUrl: string;
  /** Name of the service. */
  source: string;
  /** Models of the collections whose documents carry an `outbox`. */
  carriers: readonly Pick<Model<unknown>, 'db' | 'collection'>[];
  log: Logger;
}): EventRelay {
  const { natsUrl, source, carriers, log } = options;
  const collections = carriers.map((each) => nativeCollection(each as Model<Document>) as unknown as Collection);
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
      name: source,
      onWaiting: (message) => log.warn(message),
      signal: stopping.signal,
    });
    const onError = (error: unknown): void => log.error({ error }, 'events are not published');
    running = { connection, relay: startOutboxRelay({ connection, source, collections, onError }) };
  }
}
