import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Collection, type Db, type Document } from 'mongodb';
import { startEmbeddedMongo } from '../index';

/**
 * The suite runs on the embedded store, and with MONGODB_URI set on that server: the same expectations on both.
 * Each spec file has a database of its own, which is dropped at the end.
 */
export interface TestDatabase {
  readonly client: MongoClient;
  readonly db: Db;
  /** An empty collection with these documents in it. */
  filled: (documents: Document[]) => Promise<Collection<Document>>;
}

const server = process.env.MONGODB_URI;
let counter = 0;

export function useDatabase(): TestDatabase {
  let client: MongoClient;
  let db: Db;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    const embedded = server ? undefined : await startEmbeddedMongo({ folder });
    client = await new MongoClient(embedded?.uri ?? server!).connect();
    db = client.db(`conformance-${randomUUID()}`);
    stop = async () => {
      await db.dropDatabase();
      await client.close();
      await embedded?.close();
      await rm(folder, { recursive: true, force: true });
    };
  });
  afterAll(() => stop());

  return {
    get client() {
      return client;
    },
    get db() {
      return db;
    },
    async filled(documents) {
      const collection = db.collection(`c${++counter}`);
      if (documents.length > 0) await collection.insertMany(documents);
      return collection;
    },
  };
}

/** What a rejected operation's error says, for `toMatchObject`. */
export async function failure(operation: Promise<unknown>): Promise<Document> {
  try {
    await operation;
  } catch (error) {
    return error as Document;
  }
  throw new Error('it was expected to fail');
}
