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
      const client = await new MongoClient(server.uri, {
        serverSelectionTimeoutMS: 1000,
        retryReads: false,
        retryWrites: false,
        socketTimeoutMS: 5000,
      }).connect();
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
