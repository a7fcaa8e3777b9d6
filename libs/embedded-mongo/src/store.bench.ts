import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { startEmbeddedMongo } from './index';
import { measure, type Measured } from './testing/measure';
import { RawStore } from './testing/raw-store';

const measureMs = Number(process.env.BENCH_SECONDS ?? 3) * 1000;
const small = 1000;
const large = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const pageSize = 50;
const organisations = 100;

/** A document the size of an invoice in a list; `at` orders the ones of an organisation. */
const invoice = (i: number): Document => ({
  org: `org-${i % organisations}`,
  at: new Date(1.7e12 + i * 1000),
  number: `2026-${i}`,
  status: 'sent',
  customer: { name: `Customer ${i % 977}`, city: 'Utrecht', countryCode: 'NL' },
  lines: [{ description: 'Work', quantity: 1, unitPriceCents: 12100 }],
  totalInclCents: i,
});

let next = 0;

/** Prints the store's speed beside raw LMDB doing the same key operations, in the same run on the same disk. */
export async function run(): Promise<object[]> {
  const folder = mkdtempSync(join(tmpdir(), 'store-bench-'));
  const child = fork(__filename, { env: { ...process.env, STORE_BENCH_FOLDER: join(folder, 'store') }, execArgv: [] });
  try {
    const [uri] = (await once(child, 'message')) as [string];
    const client = await new MongoClient(uri, { maxPoolSize: 128 }).connect();
    const raw = new RawStore(join(folder, 'raw.mdb'));
    const figures = await compare(client, raw, child);
    await client.close();
    await raw.close();
    return figures;
  } finally {
    child.disconnect();
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(client: MongoClient, raw: RawStore, child: ChildProcess): Promise<object[]> {
  const table = new Table({
    style: { head: [], border: [] },
    head: ['', 'per second', 'p50 ms', 'p99 ms', 'raw lmdb/s', 'store : raw'],
  });
  const show = (what: string, store: Measured, bare?: Measured): Measured => {
    const figures = [store.perSecond.toFixed(0), store.p50.toFixed(2), store.p99.toFixed(2)];
    table.push([
      what,
      ...figures,
      bare?.perSecond.toFixed(0) ?? '',
      bare ? `1 : ${(bare.perSecond / store.perSecond).toFixed(1)}` : '',
    ]);
    return store;
  };
  const db = client.db('bench');
  const written = db.collection('written');
  await written.createIndex({ org: 1, at: -1 });
  const insert = (): Promise<unknown> =>
    written.insertOne(invoice(next++), { writeConcern: { w: 'majority', j: true } });
  const one = show(
    'durable insert, 1 client',
    await measure(1, measureMs, insert),
    await measure(1, measureMs, () => raw.insert(1)),
  );
  const many = show(
    'durable insert, 64 clients',
    await measure(64, measureMs, insert),
    await raw.grouped(64, measureMs),
  );
  const known = next;
  const random = (): number => Math.floor(Math.random() * known);

  const [first] = await written.find({ number: '2026-0' }).toArray();
  const update = (): Promise<unknown> => written.updateOne({ _id: first!._id }, { $inc: { totalInclCents: 1 } });
  show('durable update by _id, 64 clients', await measure(64, measureMs, update));

  const find = (): Promise<unknown> => findOne(written, random());
  show(
    'indexed find, 1 client',
    await measure(1, measureMs, find),
    await measure(1, measureMs, async () => raw.find(random())),
  );
  show('indexed find, 16 clients', await measure(16, measureMs, find));
  const writing = measure(8, measureMs + 500, insert);
  const underLoad = show('indexed find, 4 clients, while 8 write', await measure(4, measureMs, find));
  await writing;

  const sizes = [small, large] as const;
  const collections = [await load(client, 'small', small), await load(client, 'large', large)];
  const lists = await alternately(collections.map((collection, i) => () => page(collection, groups(sizes[i]!))));
  for (const [i, measured] of lists.entries()) show(`list of ${pageSize} by index out of ${sizes[i]}`, measured);
  show(`list of ${pageSize}, raw`, await measure(1, measureMs, async () => raw.list(pageSize)));

  console.log(table.toString());
  child.send('memory');
  const [rss] = (await once(child, 'message')) as [number];
  const figure = (name: string, unit: string, value: number, rest: object): object => ({
    name,
    unit,
    ours: { median: value, low: value, high: value },
    ...rest,
  });
  const beside = (name: string, value: number): object => ({
    beside: { name, value: { median: value, low: value, high: value } },
  });
  return [
    figure('durable inserts, 64 clients', '/s', many.perSecond, {
      ...beside('1 client', one.perSecond),
      aim: { of: 'ratio', atLeast: 10 },
    }),
    figure('indexed find while 8 write, p99', 'ms', underLoad.p99, { aim: { of: 'value', atMost: 5 } }),
    figure(`list of ${pageSize} out of ${large}, p50`, 'ms', lists[1]!.p50, {
      ...beside(`out of ${small}`, lists[0]!.p50),
      aim: { of: 'ratio', atMost: 1.5 },
    }),
    figure('memory of the store at the end', 'MB', rss / 1e6, {}),
  ];
}

/** Measures in turns, so that what else the machine does falls on all alike; the figures of each one's median turn. */
async function alternately(works: (() => Promise<unknown>)[]): Promise<Measured[]> {
  const turns = 5;
  const measured: Measured[][] = works.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, work] of works.entries()) {
      await measure(1, 200, work);
      measured[i]!.push(await measure(1, measureMs / turns, work));
    }
  }
  return measured.map((runs) => runs.sort((a, b) => a.p50 - b.p50)[Math.floor(turns / 2)]!);
}

const findOne = (collection: Collection, i: number): Promise<unknown> =>
  collection.find({ org: `org-${i % organisations}`, at: { $lte: new Date(1.7e12 + i * 1000) } }).sort({ at: -1 }).limit(1).toArray(); // prettier-ignore

/** So many organisations that each has at least a page. */
const groups = (count: number): number => Math.min(organisations, count / pageSize);

async function page(collection: Collection, organisationCount: number): Promise<void> {
  const filter = { org: `org-${Math.floor(Math.random() * organisationCount)}` };
  const found = await collection.find(filter).sort({ at: -1 }).limit(pageSize).toArray();
  if (found.length !== pageSize) throw new Error(`a list of ${found.length}`);
}

async function load(client: MongoClient, name: string, count: number): Promise<Collection> {
  const collection = client.db('bench').collection(name);
  await collection.createIndex({ org: 1, at: -1 });
  const spread = (i: number): Document => ({
    ...invoice(i),
    org: `org-${i % groups(count)}`,
  });
  for (let from = 0; from < count; from += 5000) {
    const size = Math.min(5000, count - from);
    await collection.insertMany(Array.from({ length: size }, (_unused, i) => spread(from + i)), { ordered: true }); // prettier-ignore
  }
  return collection;
}

/** The child's side: the store in a process of its own, as it runs in production of the box. */
async function serve(folder: string): Promise<void> {
  const { uri } = await startEmbeddedMongo({ folder });
  process.on('message', () => process.send!(process.memoryUsage.rss()));
  process.on('disconnect', () => process.exit());
  process.send!(uri);
}

if (process.env.STORE_BENCH_FOLDER) void serve(process.env.STORE_BENCH_FOLDER);
