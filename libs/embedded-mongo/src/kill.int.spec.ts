import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Collection } from 'mongodb';
import { buildChild, ChildServer } from './testing/child-server';

const rounds = 6 * Number(process.env.SEEDS ?? 1);
const writers = 8;

type Rows = Collection<Row>;

interface Row {
  _id: string;
  writer: number;
  version: number;
  batch: number;
}

describe('a store that is killed', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-kill-'));
    program = await buildChild(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has every acknowledged write, every write that was seen, and no half command', async () => {
    const data = join(folder, 'data');
    const acknowledged = new Map<string, number>();
    const seen = new Map<string, number>();
    const opened: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const server = await ChildServer.start(program, data);
      opened.push(server.started.openMs!);
      const client = await connected(server);
      const rows = client.db('test').collection<Row>('rows');
      if (round === 0) await rows.createIndexes([{ key: { writer: 1, version: -1 } }, { key: { batch: 1 } }]);
      const running = Array.from({ length: writers }, (_unused, writer) => write(rows, round, writer, acknowledged));
      running.push(watch(rows, seen));
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 250));
      await server.kill();
      await Promise.all(running);
      await client.close(true);
    }
    expect(acknowledged.size).toBeGreaterThan(0);

    const server = await ChildServer.start(program, data);
    opened.push(server.started.openMs!);
    const client = await new MongoClient(server.uri).connect();
    const rows = client.db('test').collection<Row>('rows');
    const stored = new Map((await rows.find().hint({ $natural: 1 }).toArray()).map((row) => [row._id, row]));
    for (const [id, version] of [...acknowledged, ...seen])
      expect(stored.get(id)?.version ?? -1).toBeGreaterThanOrEqual(version);
    expect(await halfBatches(rows)).toEqual([]);
    // The indexes lead to exactly the documents there are.
    for (const key of ['writer', 'batch', '_id'])
      expect(
        await rows
          .find({ [key]: { $exists: true } })
          .hint(hints[key]!)
          .toArray(),
      ).toHaveLength(stored.size);
    for (const openMs of opened) expect(openMs).toBeLessThan(1000);
    await client.close();
    await server.kill();
  }, 60_000);

  it('under mixed commands: every row is as some command left it that may have been the last, and the scrub finds nothing', async () => {
    const data = join(folder, 'mixed');
    const known = new Map<string, Expected>();
    for (let round = 0; round < rounds; round++) {
      const server = await ChildServer.start(program, data);
      const client = await connected(server);
      const rows = client.db('test').collection<Mixed>('mixed');
      if (round === 0) await rows.createIndexes([{ key: { value: 1 } }, { key: { owner: 1, value: -1 } }]);
      expect(await rows.db.command({ validate: 'mixed' })).toMatchObject({ valid: true });
      const stored = new Map((await rows.find().toArray()).map(({ _id, value }) => [_id, value]));
      for (const [id, { certain, possible }] of known) {
        expect([certain, ...possible]).toContain(stored.get(id));
        known.set(id, { certain: stored.get(id), possible: [] });
      }
      expect([...stored.keys()].filter((id) => !known.has(id))).toEqual([]);
      const running = Array.from({ length: writers }, (_unused, writer) => mix(rows, round, writer, known));
      running.push(reindex(rows));
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 250));
      await server.kill();
      await Promise.all(running);
      await client.close(true);
    }
    expect(known.size).toBeGreaterThan(writers);
  }, 60_000);

  it('leaves the folder to the next process, and a living owner is named', async () => {
    const data = join(folder, 'owned');
    const owner = await ChildServer.start(program, data);
    const rival = await ChildServer.start(program, data);
    expect(rival.started.error).toMatch(/in use by process \d+/);
    await rival.kill();
    await owner.kill();
    const heir = await ChildServer.start(program, data);
    expect(heir.started.error).toBeUndefined();
    await heir.kill();
  });
});

const hints: Record<string, string> = { writer: 'writer_1_version_-1', batch: 'batch_1', _id: '_id_' };
const batchSize = 5;

/** Inserts batches and updates single rows until the server is gone; notes what was acknowledged. */
async function write(rows: Rows, round: number, writer: number, acknowledged: Map<string, number>): Promise<void> {
  try {
    for (let n = 0; ; n++) {
      const batch = (round * writers + writer) * 100_000 + n;
      const docs = Array.from({ length: batchSize }, (_unused, i): Row => ({
        _id: `${batch}.${i}`,
        writer,
        version: 0,
        batch,
      }));
      await rows.insertMany(docs, { writeConcern: { w: 'majority', j: true } });
      for (const { _id } of docs) acknowledged.set(_id, 0);
      await rows.updateOne({ _id: `${batch}.0` }, { $inc: { version: 1 } });
      acknowledged.set(`${batch}.0`, 1);
    }
  } catch (error) {
    gone(error);
  }
}

const connected = (server: ChildServer): Promise<MongoClient> =>
  new MongoClient(server.uri, {
    serverSelectionTimeoutMS: 1000,
    retryReads: false,
    retryWrites: false,
    socketTimeoutMS: 5000,
  }).connect();

interface Mixed {
  _id: string;
  owner: number;
  value: number;
}
/** Undefined: the row is not there. `possible`: what a command makes of it that was never answered. */
interface Expected {
  readonly certain: number | undefined;
  readonly possible: readonly (number | undefined)[];
}

const rowsEach = 20;

/** Every kind of write on rows of its own, one after the other, until the server is gone. */
async function mix(rows: Collection<Mixed>, round: number, owner: number, known: Map<string, Expected>): Promise<void> {
  const certain = (id: string): number | undefined => known.get(id)?.certain;
  let value = round * 1_000_000;
  try {
    for (;;) {
      const _id = `${owner}.${Math.floor(Math.random() * rowsEach)}`;
      const before = certain(_id);
      const next = (value += 1);
      const attempt = async (after: number | undefined, command: () => Promise<unknown>): Promise<void> => {
        known.set(_id, { certain: before, possible: [after] });
        await command();
        known.set(_id, { certain: after, possible: [] });
      };
      const kind = Math.floor(Math.random() * 6);
      if (before === undefined) await attempt(next, () => rows.insertOne({ _id, owner, value: next }));
      else if (kind === 0) await attempt(undefined, () => rows.deleteOne({ _id }));
      else if (kind === 1) await attempt(next, () => rows.replaceOne({ _id }, { owner, value: next }));
      else if (kind === 2) await attempt(next, () => rows.updateOne({ _id }, { $set: { value: next } }));
      else if (kind === 3) await attempt(before + 7, () => rows.findOneAndUpdate({ _id }, { $inc: { value: 7 } }));
      else if (kind === 4) await attempt(undefined, () => rows.findOneAndDelete({ _id }));
      else
        await attempt(next, () =>
          rows.bulkWrite([
            { deleteOne: { filter: { _id } } },
            { insertOne: { document: { _id, owner, value: next } } },
          ]),
        ).catch((error: unknown) => {
          // Of the two only the first may have been done.
          known.set(_id, { certain: before, possible: [undefined, next] });
          throw error;
        });
    }
  } catch (error) {
    gone(error);
  }
}

/** Makes an index and takes it away, as a migration does. */
async function reindex(rows: Collection<Mixed>): Promise<void> {
  try {
    for (;;) {
      await rows.createIndex({ value: -1, owner: 1 }, { name: 'passing' });
      await rows.dropIndex('passing');
    }
  } catch (error) {
    gone(error);
  }
}

/** What one client sees must be there after the crash, acknowledged or not. */
async function watch(rows: Rows, seen: Map<string, number>): Promise<void> {
  try {
    for (;;)
      for (const { _id, version } of await rows.find().sort({ $natural: -1 }).limit(20).toArray())
        seen.set(_id, version);
  } catch (error) {
    gone(error);
  }
}

function gone(error: unknown): void {
  if (
    !/network|connect|closed|socket|pool|timed out|interrupted|ECONN/i.test(
      `${(error as Error).name} ${(error as Error).message}`,
    )
  )
    throw error;
}

const halfBatches = (rows: Rows): Promise<unknown[]> =>
  rows.aggregate([{ $group: { _id: '$batch', n: { $sum: 1 } } }, { $match: { n: { $ne: batchSize } } }]).toArray();
