import { type NatsConnection } from 'nats';

export interface EventsProbe {
  isUp: (timeoutMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

/** Asks the broker whether it answers. The gateway needs it for nothing else, so it connects when first asked. */
export function probeEvents(url: string | undefined): EventsProbe {
  let connection: NatsConnection | undefined;
  let connecting: Promise<NatsConnection> | undefined;

  const open = async (timeout: number): Promise<NatsConnection> => {
    const [{ connect }, { brokerOptions }] = await Promise.all([import('nats'), import('@invoicing/events')]);
    connection = await connect({ ...brokerOptions(url ?? ''), name: 'gateway', timeout, maxReconnectAttempts: -1 });
    return connection;
  };
  return {
    isUp: async (timeoutMs) => {
      if (!url) return false;
      if (!connection) {
        connecting ??= open(timeoutMs).finally(() => (connecting = undefined));
        await connecting;
      }
      await connection?.flush();
      return true;
    },
    close: async () => {
      // A connection that is just being made is closed, too; one that fails needs no closing.
      await Promise.allSettled([connecting]);
      await connection?.close();
    },
  };
}
