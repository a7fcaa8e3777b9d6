import type { NatsConnection } from 'nats';
import { nativeCollection, type Collection, type Document, type Model } from '@invoicing/mongo';
import { type Logger } from '@invoicing/telemetry';
import { connectEvents } from './connect-events';
import { startOutboxRelay, type OutboxRelay } from './outbox-relay';

/** The model of a collection whose documents carry an `outbox`. */
export type EventCarrier = Pick<Model<unknown>, 'db' | 'collection'>;

/** Publishes what documents carry. */
export interface EventRelay {
  /** An event was written, to a document of this carrier when one is named; publish it soon. */
  wake: (carrier?: EventCarrier) => void;
  close: () => Promise<void>;
}

/** Publishes the events that a service's documents carry. The broker may come and go: the service works without it, and nothing is lost. */
export function startEventRelay(options: {
  natsUrl: string;
  /** Name of the service. */
  source: string;
  carriers: readonly EventCarrier[];
  log: Logger;
}): EventRelay {
  const { natsUrl, source, carriers, log } = options;
  const collections = carriers.map((each) => nativeCollection(each as Model<Document>) as unknown as Collection);
  const stopping = new AbortController();
  let running: { connection: NatsConnection; relay: OutboxRelay } | undefined;
  const starting = start().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ error }, 'event relay did not start');
  });
  return {
    wake: (carrier) => running?.relay.wake(carrier?.collection.collectionName),
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
