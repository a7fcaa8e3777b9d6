import { setTimeout } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, nanos, type ConsumerMessages, type JsMsg, type NatsConnection } from 'nats';
import { backoffMs, TaskPool } from '@invoicing/concurrency';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { SpanKind, eventLag, inSpan, storedTrace } from '@invoicing/telemetry';
import { ensureStream, STREAM } from './connect-events';
import { reportSettled } from './settled';

/** How events are consumed. */
export interface EventConsumerOptions {
  readonly connection: NatsConnection;
  /** Name of the durable consumer: replicas with the same name share the work. */
  readonly durable: string;
  /** Must be idempotent by the event's id; a throw means the event comes again. Several run at once, in no order. */
  readonly handle: (event: Event) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** How many events are handled at once. */
  readonly concurrency?: number;
}

// The handler only writes down what is to be done: what a dead process held comes again soon.
const ACK_WAIT_MS = 3_000;
const RETRY_MS = 1_000;
const REDELIVERY = { firstMs: 1_000, longestMs: 30_000 };
const LOST = ['heartbeats_missed', 'consumer_not_found', 'stream_not_found', 'consumer_deleted'];

/** Consumes `events.>`: handle, report settled to the source, acknowledge. Recovers when the broker restarts or loses its folder. */
export function consumeEvents({ connection, durable, handle, onError, concurrency = 64 }: EventConsumerOptions): {
  close: () => Promise<void>;
} {
  const closing = new AbortController();
  const taking = new TaskPool(concurrency);
  let messages: ConsumerMessages | undefined;

  const consume = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        messages = await open();
        // Closing waits for the iteration to end, so it must not be waited for before.
        if (closing.signal.aborted) void messages.close();
        for await (const message of messages) {
          taking.add(take({ connection, handle, onError }, message));
          await taking.room();
        }
      } catch (error) {
        if (!closing.signal.aborted) onError(error);
      }
      // Lost, or refused: make everything again after a pause.
      await setTimeout(RETRY_MS, undefined, closing).catch(() => undefined);
    }
  };
  const running = consume();
  return {
    close: async () => {
      closing.abort();
      await messages?.close();
      await running;
      await taking.idle();
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
    watch(opened).catch(onError);
    return opened;
  }

  // A stream or consumer that is gone shows as a status only: end the iteration so that both are made again.
  async function watch(opened: ConsumerMessages): Promise<void> {
    for await (const { type } of await opened.status()) if (LOST.includes(type)) await opened.close();
  }
}

/** Handles one event and acknowledges it, or gives it back for later. Never throws. */
async function take(
  { connection, handle, onError }: Pick<EventConsumerOptions, 'connection' | 'handle' | 'onError'>,
  message: JsMsg,
): Promise<void> {
  let event: Event;
  try {
    event = Event.fromJSON(JSON.parse(message.string()));
  } catch (error) {
    onError(error);
    message.term('not an event');
    return;
  }
  try {
    const trace = storedTrace(message.headers?.get('traceparent'));
    await inSpan(`consume ${event.type}`, SpanKind.CONSUMER, trace, () => handle(event));
    if (event.occurredAt) eventLag.observe({ type: event.type }, (Date.now() - event.occurredAt.getTime()) / 1000);
    reportSettled(connection, event, message.headers);
    message.ack();
  } catch (error) {
    onError(error);
    message.nak(backoffMs(REDELIVERY, message.info.redeliveryCount));
  }
}
