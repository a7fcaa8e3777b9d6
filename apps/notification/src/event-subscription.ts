import { connectEvents, consumeEvents, type NatsConnection } from '@invoicing/events';
import type { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import type { Logger } from '@invoicing/telemetry';

/** Name of our durable consumer: replicas share it. */
const DURABLE = 'notification';

/** Consumes events as soon as the broker is there; does not keep the rest of the service waiting for it. */
export function subscribeToEvents(url: string, handle: (event: Event) => Promise<void>, log: Logger) {
  const waiting = new AbortController();
  let connection: NatsConnection | undefined;
  const onError = (error: unknown): void => log.warn({ error }, 'event not taken');
  const start = async (): Promise<ReturnType<typeof consumeEvents> | undefined> => {
    try {
      const onWaiting = (message: string): void => log.warn(message);
      connection = await connectEvents({ url, name: DURABLE, onWaiting, signal: waiting.signal });
    } catch (error) {
      if (waiting.signal.aborted) return undefined;
      throw error;
    }
    return consumeEvents({ connection, durable: DURABLE, handle, onError });
  };
  const consumer = start();
  consumer.catch(onError);
  return {
    isConnected: (): boolean => connection !== undefined && !connection.isClosed(),
    close: async (): Promise<void> => {
      waiting.abort();
      await (await consumer)?.close();
      await connection?.drain();
    },
  };
}
