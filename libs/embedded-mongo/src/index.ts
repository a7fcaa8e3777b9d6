import { rmSync } from 'node:fs';
import { Engine } from './engine';
import { setName } from './replication/replica-set';
import { WireServer } from './server';

export interface EmbeddedMongo {
  /** For mongoose or the official driver, as it is. */
  readonly uri: string;
  /** How many commands `failEvery` has made to fail. */
  injectedFailures: () => number;
  close: () => Promise<void>;
}

export interface EmbeddedMongoOptions {
  /** Where the data lives. One process owns it at a time. */
  folder: string;
  host?: string;
  /** 0, the default, chooses a free one. */
  port?: number;
  /** A unix socket instead of host and port. What a store that was killed left there is replaced. */
  socketPath?: string;
  /** How often expired documents are looked for. */
  ttlIntervalMs?: number;
  /** Fail points can be set, as on a mongod that is started with test commands. Never in production. */
  testCommands?: boolean;
  /** Every n-th command that a driver repeats by itself fails, in turn as a network or an election makes it fail: for tests. */
  failEvery?: number | undefined;
  log?: (line: object) => void;
}

/** Opens the store in a folder and serves it to MongoDB drivers. */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const { folder, host = '127.0.0.1', port = 0, socketPath } = options;
  const engine = new Engine(folder, options);
  const server = new WireServer(engine);
  let address: string;
  // The folder is ours now, so the one who made the socket is gone.
  if (socketPath) rmSync(socketPath, { force: true });
  try {
    address = await server.listen({ host, port, socketPath });
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    // The members of a replica set are found by host and port, which a socket has not.
    uri: `mongodb://${address}/?${socketPath ? 'directConnection=true' : `replicaSet=${setName}`}`,
    injectedFailures: () => engine.failEvery?.failures ?? 0,
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}
