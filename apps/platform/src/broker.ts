import { startNatsServer, type NatsServer, type NatsUser } from '@invoicing/events';

export interface Broker {
  close: () => Promise<void>;
}

const RESTART_MS = 300;

/** Keeps a nats-server running on one port, for one user: when it dies it is started again, in the same folder. */
export async function keepBroker(
  options: { folder: string; port: number; say: (message: string) => void } & NatsUser,
): Promise<Broker> {
  let closing = false;
  let server: NatsServer;

  const watch = (): void => {
    server.process.once('exit', () => {
      if (closing) return;
      options.say('nats-server stopped; starting it again');
      setTimeout(() => void restart(), RESTART_MS);
    });
  };
  const restart = async (): Promise<void> => {
    if (closing) return;
    try {
      server = await startNatsServer(options);
      if (closing) await server.close();
      else watch();
    } catch (error) {
      options.say((error as Error).message);
      setTimeout(() => void restart(), RESTART_MS);
    }
  };

  server = await startNatsServer(options);
  watch();
  return {
    close: async () => {
      closing = true;
      await server.close();
    },
  };
}
