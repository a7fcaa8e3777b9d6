import type { NatsConnection, Subscription } from 'nats';
import { startClocks, type ClocksOptions, type RunningClocks } from '@invoicing/mongo';
import type { Logger } from '@invoicing/telemetry';
import { connectEvents } from './connect-events';

/**
 * Tells every process that something which all of them keep in memory has changed, so that they read it again at once. It carries
 * nothing and may get lost: who listens also reads again now and then, and often while it cannot be told.
 */
export interface Signal {
  /** Tells all who listen; answers whether the broker has passed it on. */
  readonly tell: () => Promise<boolean>;
  /** `listener` is called when it was told, and when it may have been told while nobody heard. */
  readonly onTold: (listener: () => void) => void;
  /** Whether we would hear of it. */
  readonly isHeard: () => boolean;
  readonly close: () => Promise<void>;
}

const FLUSH_MS = 1_000;

/** The clock of a test organisation was moved. */
const CLOCKS_MOVED = 'clocks.moved';

/** The signal that clocks of test organisations were moved. Heard as soon as the broker is there, and again when it is back. */
export function clocksMoved(options: {
  readonly natsUrl: string;
  /** Name of the service. */
  readonly source: string;
  readonly log: Logger;
}): Signal {
  const { natsUrl, source, log } = options;
  const subject = CLOCKS_MOVED;
  const listeners: (() => void)[] = [];
  const onTold = (): void => listeners.forEach((listener) => listener());
  const stopping = new AbortController();
  let connection: NatsConnection | undefined;
  let isHeard = false;

  const listening = listen().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.warn({ error, subject }, 'a signal is not heard');
  });

  return {
    tell: async () => {
      if (!connection || connection.isClosed()) return false;
      connection.publish(subject);
      return arrived(connection);
    },
    onTold: (listener) => void listeners.push(listener),
    isHeard: () => isHeard,
    close: async () => {
      stopping.abort();
      await connection?.close();
      await listening;
    },
  };

  async function listen(): Promise<void> {
    const onWaiting = (message: string): void => log.warn(message);
    const connected = await connectEvents({ url: natsUrl, name: source, onWaiting, signal: stopping.signal });
    connection = connected;
    const subscription = connected.subscribe(subject);
    const hear = async (): Promise<void> => {
      isHeard = (await arrived(connected)) && !subscription.isClosed();
      onTold();
    };
    // Ends with the process: the client does not end it with the connection.
    void follow(connected, hear).catch((error: unknown) => log.warn({ error, subject }, 'a signal may not be heard'));
    await hear();
    await read(subscription);
  }

  async function follow(connected: NatsConnection, hear: () => Promise<void>): Promise<void> {
    for await (const { type } of connected.status()) {
      if (type === 'disconnect') isHeard = false;
      // The client has subscribed again by then.
      if (type === 'reconnect') await hear();
    }
  }

  async function read(subscription: Subscription): Promise<void> {
    try {
      for await (const _told of subscription) onTold();
    } catch (error) {
      // The broker does not allow it to this user: deploy/nats/nats.conf of an earlier version.
      log.warn({ error, subject }, 'a signal is not heard');
    }
    isHeard = false;
  }
}

/** The clocks of a service, read anew whenever one was moved. `tell`: one was. */
export function followClocks({
  read,
  workers,
  ...heard
}: Parameters<typeof clocksMoved>[0] & Pick<ClocksOptions, 'read' | 'workers'>): RunningClocks & Pick<Signal, 'tell'> {
  const moved = clocksMoved(heard);
  const onError = (error: unknown): void => heard.log.debug({ error }, 'clocks are not read');
  const clocks = startClocks({ read, moved, workers, onError });
  return {
    ...clocks,
    tell: moved.tell,
    close: async () => {
      await clocks.close();
      await moved.close();
    },
  };
}

/** The broker has all that was said so far. */
async function arrived(connection: NatsConnection): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), FLUSH_MS).unref());
  const flushed = connection.flush().then(
    () => true,
    () => false,
  );
  return Promise.race([flushed, late]);
}
