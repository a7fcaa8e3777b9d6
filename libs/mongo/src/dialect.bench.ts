import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@invoicing/embedded-mongo';
import { connectMongo } from './connect-mongo';
import { declareCollection, embedded, oneOf, required } from './declare-collection';
import { type Connection } from './driver-types';
import { NEWEST_FIRST, newest } from './newest';
import { nativeCollection, openCollection } from './open-collection';

// What the model and the validator cost beside the native collection without one: `npm run bench dialect`.
interface Line {
  readonly description: string;
  readonly quantity: string;
  readonly unitPriceCents: number;
}
interface Bill {
  readonly _id: string;
  readonly organizationId: string;
  readonly state: 'draft' | 'sent';
  readonly revision: number;
  readonly lines: readonly Line[];
  readonly totals: { readonly inclCents: number };
  readonly createdAt: Date;
}

const bills = declareCollection<Bill>('bills', {
  shardKey: { organizationId: 1 },
  fields: {
    organizationId: required(String),
    state: oneOf('draft', 'sent'),
    revision: required(Number),
    lines: required([
      embedded<Line>({ description: required(String), quantity: required(String), unitPriceCents: required(Number) }),
    ]),
    totals: required(embedded<Bill['totals']>({ inclCents: required(Number) })),
    createdAt: required(Date),
  },
  indexes: [[{ organizationId: 1, createdAt: -1, _id: -1 }]],
});

const ROUNDS = Number(process.env['ROUNDS'] ?? 3_000);
const LINES = 3;

// The store runs in a process of its own, so that the CPU of each side is seen.
async function serveStore(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dialect-bench-'));
  const store = await startEmbeddedMongo({ folder });
  process.on('message', () => process.send!(process.cpuUsage()));
  process.once('disconnect', () => void store.close().then(() => rmSync(folder, { recursive: true })));
  process.send!(store.uri);
}

const micros = ({ user, system }: NodeJS.CpuUsage): number => user + system;

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return micros(usage);
}

let clock = 0;
const bill = (): Bill => ({
  _id: randomUUID(),
  organizationId: 'bakery',
  state: 'draft',
  revision: 0,
  lines: Array.from({ length: LINES }, () => ({ description: 'Werk', quantity: '2.5', unitPriceCents: 8_500 })),
  totals: { inclCents: 77_138 },
  createdAt: new Date(clock++),
});

async function waysOn(connection: Connection): Promise<Record<string, () => Promise<unknown>>> {
  const plain = connection.db!.collection<Bill>('plain');
  await plain.createIndex({ organizationId: 1, createdAt: -1, _id: -1 });
  const model = await openCollection(connection, bills);
  const native = nativeCollection(model);
  const seed = Array.from({ length: 1_000 }, bill);
  for (const each of [plain, native]) await each.insertMany(seed);
  const one = () => ({ organizationId: 'bakery', _id: seed[Math.floor(Math.random() * seed.length)]!._id });
  const change = { $set: { state: 'sent' as const }, $inc: { revision: 1 } };
  const ofBakery = { organizationId: 'bakery' };
  return {
    'insert: model': () => model.insertOne(bill()),
    'insert: native, validator': () => native.insertOne(bill()),
    'insert: native, no validator': () => plain.insertOne(bill()),
    'insert 64: native, validator': () => native.insertMany(Array.from({ length: 64 }, bill)),
    'insert 64: native, no validator': () => plain.insertMany(Array.from({ length: 64 }, bill)),
    'find one: model, lean': () => model.findOne(one()).lean().exec(),
    'find one: native': () => native.findOne(one()),
    'newest 50: model, lean': () => newest(model, ofBakery, { limit: 50 }),
    'newest 50: native': () => native.find(ofBakery).sort(NEWEST_FIRST).limit(50).toArray(),
    'update one: model': () => model.updateOne(one(), change).exec(),
    'update one: native, validator': () => native.updateOne(one(), change),
    'update one: native, no validator': () => plain.updateOne(one(), change),
  };
}

export async function run(): Promise<void> {
  if (process.env['DIALECT_STORE']) {
    await serveStore();
    await once(process, 'disconnect');
    return;
  }
  const child = fork(process.argv[1]!, { env: { ...process.env, DIALECT_STORE: '1' } });
  const [uri] = (await once(child, 'message')) as [string];
  const connection = await connectMongo({ uri, database: 'bench' });
  const ways = await waysOn(connection);
  console.log('CPU an operation, µs'.padEnd(36), 'client'.padStart(8), 'store'.padStart(8));
  for (const [name, way] of Object.entries(ways)) {
    const rounds = name.includes('64') ? ROUNDS / 10 : ROUNDS;
    for (let round = 0; round < rounds / 5; round++) await way();
    const before = [micros(process.cpuUsage()), await cpuOf(child)] as const;
    for (let round = 0; round < rounds; round++) await way();
    const after = [micros(process.cpuUsage()), await cpuOf(child)] as const;
    const cost = after.map((each, side) => ((each - before[side]!) / rounds).toFixed(0).padStart(8));
    console.log(name.padEnd(36), ...cost);
  }
  await connection.close();
  child.disconnect();
}
