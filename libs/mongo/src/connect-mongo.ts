import mongoose, { type Connection } from 'mongoose';
import { isTracing } from '@invoicing/telemetry';
import { migrate, type Migration } from './migrations';
import { traceCommands } from './trace-commands';

/** Which database, and what is said while it does not answer. */
export interface MongoOptions {
  readonly uri: string;
  /** Each service has a database of its own. */
  readonly database: string;
  readonly onWaiting?: (message: string) => void;
  /** Of a service: what brings the database of a version before up to this one. Run, once, before the connection is answered. */
  readonly migrations?: readonly Migration[];
  /** Which migration runs, or is waited for. */
  readonly onMigration?: (message: string) => void;
}

const RETRY_MS = 500;
const POOL_LOOK_MS = 10_000;

/**
 * Connects, waiting as long as it takes and saying so. Every write is acknowledged by a majority and journaled, every read is of
 * majority-committed data: one code path on a single node, a replica set, a sharded cluster and the embedded store.
 */
export async function connectMongo({ migrations, onMigration, ...options }: MongoOptions): Promise<Connection> {
  const connection = await connect(options);
  if (migrations) await migrate(connection, migrations, { onProgress: onMigration });
  return connection;
}

async function connect({
  uri,
  database,
  onWaiting,
}: Omit<MongoOptions, 'migrations' | 'onMigration'>): Promise<Connection> {
  for (;;) {
    const client = new mongoose.mongo.MongoClient(uri, {
      serverSelectionTimeoutMS: 5_000,
      maxPoolSize: 64,
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
      monitorCommands: isTracing(),
    });
    // Not by the constructor: there the database would be the one of the credentials too, and the driver keeps the other for itself. A pool
    // looks for connections to close ten times a second, most of what a process at rest does; it looks again whenever one is taken.
    Object.assign(client.options, { dbName: database, minPoolSizeCheckFrequencyMS: POOL_LOOK_MS });
    try {
      await client.connect();
      if (isTracing()) traceCommands(client);
      return mongoose.createConnection().setClient(client);
    } catch (error) {
      onWaiting?.(`waiting for MongoDB: ${(error as Error).message}`);
      await client.close();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Answers within `timeoutMs` whether the store answers. */
export async function pingMongo(connection: Connection, timeoutMs: number): Promise<boolean> {
  const ping = connection.db?.command({ ping: 1 }).then(
    () => true,
    () => false,
  );
  return (
    (await Promise.race([ping, new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false).unref())])) ??
    false
  );
}
