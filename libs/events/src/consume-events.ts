import { AckPolicy, DeliverPolicy, nanos, type ConsumerMessages, type NatsConnection } from 'nats';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { ensureStream, STREAM } from './connect-events';
import { settledSubject } from './outbox';

export interface EventConsumerOptions {
  readonly connection: NatsConnection;
  /** Name of the durable consumer: replicas with the same name share the work. */
  readonly durable: string;
  /** Must be idempotent by the event's id; a throw means the event comes again. */
  readonly handle: (event: Event) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const ACK_WAIT_MS = 30_000;
const RETRY_MS = 1_000;

/** Consumes `events.>`: handle, report settled to the source, acknowledge. Recovers when the broker restarts or loses its folder. */
export function consumeEvents({ connection, durable, handle, onError }: EventConsumerOptions): {
  close(): Promise<void>;
} {
  let closed = false;
  let messages: ConsumerMessages | undefined;

  const consume = async (): Promise<void> => {
    while (!closed) {
      try {
        messages = await open();
        if (closed) await messages.close();
        for await (const message of messages) await take(message);
      } catch (error) {
        if (!closed) onError(error);
      }
      if (!closed) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  const running = consume();
  return {
    close: async () => {
      closed = true;
      await messages?.close();
      await running;
    },
  };

  async function open(): Promise<ConsumerMessages> {
    const manager = await connection.jetstreamManager();
    await ensureStream(manager);
    await manager.consumers.add(STREAM, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: 512,
    });
    const consumer = await connection.jetstream().consumers.get(STREAM, durable);
    const opened = await consumer.consume({ max_messages: 128, expires: 5_000 });
    void watch(opened);
    return opened;
  }

  // A stream or consumer that is gone shows as missed heartbeats only: end the iteration so that both are made again.
  async function watch(opened: ConsumerMessages): Promise<void> {
    for await (const status of await opened.status()) {
      const lost = ['heartbeats_missed', 'consumer_not_found', 'stream_not_found', 'consumer_deleted'].includes(
        status.type,
      );
      if (lost && connection.info) await opened.close();
    }
  }

  async function take(message: {
    string(): string;
    ack(): void;
    nak(delayMs?: number): void;
    term(reason?: string): void;
  }): Promise<void> {
    let event: Event;
    try {
      event = Event.fromJSON(JSON.parse(message.string()));
    } catch (error) {
      onError(error);
      message.term('not an event');
      return;
    }
    try {
      await handle(event);
      connection.publish(settledSubject(event.source), event.id);
      message.ack();
    } catch (error) {
      onError(error);
      message.nak(RETRY_MS);
    }
  }
}
