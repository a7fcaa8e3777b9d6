import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection } from 'mongoose';
import { declareCollection, required } from './declare-collection';
import { type Collection, type Db } from './driver-types';
import { keepValidators, nativeCollection, openCollection } from './open-collection';
import { insertOnce } from './write-once';

/**
 * One step that brings the documents or indexes of a version before up to this one. It may be killed anywhere and run again, so it must
 * be idempotent, and take documents a batch at a time.
 */
export interface Migration {
  /** Unique in its database, and never changed: what has run is known by it. */
  readonly name: string;
  readonly run: (db: Db) => Promise<void>;
}

/** What has run in a database, or is running. */
interface MigrationRecord {
  readonly _id: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Who runs it, until when. */
  readonly lease: string;
  readonly leaseUntil: Date;
}

const migrationRecords = declareCollection<MigrationRecord>('migrations', {
  shardKey: 'one shard',
  fields: {
    startedAt: required(Date),
    finishedAt: Date,
    lease: required(String),
    leaseUntil: required(Date),
  },
  indexes: [],
});

/** How migrations are run. */
export interface MigrateOptions {
  /** What is being done, or waited for. */
  readonly onProgress?: ((message: string) => void) | undefined;
  /** How long a process that was killed holds up the next one. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
}

/**
 * Runs what has not run yet, in order, once: of replicas that start at once one runs a step and the others wait for it. A process that is
 * killed in between leaves a lease that ends; the next one begins with the same step. To be called before collections are opened.
 * When something has run that this version does not know, a later version was here, and its validators stay.
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  { onProgress = () => {}, leaseMs = 10_000, pollMs = 200 }: MigrateOptions = {},
): Promise<void> {
  const records = nativeCollection(await openCollection(connection, migrationRecords));
  const finished = new Set((await records.find({ finishedAt: { $ne: null } }).toArray()).map(({ _id }) => _id));
  for (const migration of migrations) {
    for (let said = false; !finished.has(migration.name);) {
      const lease = await takeLease(records, migration.name, leaseMs);
      if (lease) {
        onProgress(`migration ${migration.name}`);
        await runHolding(records, migration, lease, leaseMs, connection.db!);
      } else {
        if (!said) onProgress(`waiting for migration ${migration.name}, which another process runs`);
        said = true;
        await delay(pollMs);
      }
      if ((await records.findOne({ _id: migration.name }))?.finishedAt) finished.add(migration.name);
    }
  }
  const known = new Set(migrations.map(({ name }) => name));
  if ([...finished].some((name) => !known.has(name))) keepValidators(connection);
}

async function takeLease(
  records: Collection<MigrationRecord>,
  name: string,
  leaseMs: number,
): Promise<string | undefined> {
  const lease = randomUUID();
  const now = new Date();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  if (await insertOnce(records, { _id: name, startedAt: now, finishedAt: null, lease, leaseUntil })) return lease;
  const free = { _id: name, finishedAt: null, leaseUntil: { $lte: now } };
  const { matchedCount } = await records.updateOne(free, { $set: { lease, leaseUntil } });
  return matchedCount === 1 ? lease : undefined;
}

async function runHolding(
  records: Collection<MigrationRecord>,
  { name, run }: Migration,
  lease: string,
  leaseMs: number,
  db: Db,
): Promise<void> {
  const held = { _id: name, lease };
  // One that fails is made up for by the next; when all fail the lease ends, and another process does the same again, which is harmless.
  const renewal = setInterval(() => {
    records.updateOne(held, { $set: { leaseUntil: new Date(Date.now() + leaseMs) } }).catch(() => undefined);
  }, leaseMs / 4);
  try {
    await run(db);
    await records.updateOne(held, { $set: { finishedAt: new Date() } });
  } catch (error) {
    await records.updateOne(held, { $set: { leaseUntil: new Date(0) } });
    throw new Error(`migration ${name} failed`, { cause: error });
  } finally {
    clearInterval(renewal);
  }
}

/** Drops an index if it is `unique`, to make room for one of the same name that is not. */
export async function dropUniqueIndex(db: Db, collection: string, index: string): Promise<void> {
  const [found] = await db.listCollections({ name: collection }).toArray();
  if (!found) return;
  const indexes = await db.collection(collection).indexes();
  if (indexes.some(({ name, unique }) => name === index && unique)) await dropIndex(db, collection, index);
}

/** Drops an index by its name; one that is not there is fine. */
export async function dropIndex(db: Db, collection: string, index: string): Promise<void> {
  const [found] = await db.listCollections({ name: collection }).toArray();
  if (!found) return;
  if (await db.collection(collection).indexExists(index)) await db.collection(collection).dropIndex(index);
}
