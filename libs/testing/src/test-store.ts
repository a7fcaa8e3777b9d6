import { randomBytes } from 'node:crypto';
import type * as embedded from '@invoicing/embedded-mongo';
import type { Connection } from '@invoicing/mongo';
import { tempFolder } from './temp-folder';

/** The embedded store. Loaded when it is asked for: it takes a second, and most specs need none. */
export const startEmbeddedMongo: typeof embedded.startEmbeddedMongo = async (options) =>
  (await import('@invoicing/embedded-mongo')).startEmbeddedMongo(options);

export interface TestStore {
  readonly uri: string;
  /** A connection to a database of its own; closed with the store. */
  connect: (database?: string) => Promise<Connection>;
  close: () => Promise<void>;
}

/**
 * A real store for a test: MONGODB_URI when set, else an embedded one in a temporary folder. With STORE_FAIL_EVERY=n every n-th
 * command of it fails as in an election, before or after it was done.
 */
export async function startTestStore(): Promise<TestStore> {
  const given = process.env['MONGODB_URI'];
  const failEvery = Number(process.env['STORE_FAIL_EVERY'] ?? 0);
  const folder = tempFolder();
  const embedded = given ? undefined : await startEmbeddedMongo({ folder: folder.path, failEvery });
  const uri = given ?? embedded!.uri;
  const connections: Connection[] = [];
  const suffix = randomBytes(4).toString('hex');
  return {
    uri,
    connect: async (database = 'test') => {
      const { connectMongo } = await import('@invoicing/mongo');
      const connection = await connectMongo({ uri, database: `${database}_${suffix}` });
      connections.push(connection);
      return connection;
    },
    close: async () => {
      for (const connection of connections) {
        if (given) await connection.dropDatabase();
        await connection.close();
      }
      if (embedded && failEvery > 0 && embedded.injectedFailures() === 0)
        throw new Error('no command was made to fail');
      await embedded?.close();
      folder.remove();
    },
  };
}
