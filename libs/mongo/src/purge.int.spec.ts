import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedMongo, type EmbeddedMongo } from '@invoicing/embedded-mongo';
import { keptSince } from '@invoicing/rules';
import { metricsRegistry } from '@invoicing/telemetry';
import { connectMongo } from './connect-mongo';
import { declareCollection, oneOf, required } from './declare-collection';
import { type Connection, type Model } from './driver-types';
import { openCollection } from './open-collection';
import { deleteSome, startPurge, type Purged, type Purges } from './purge';

interface Note {
  readonly _id: string;
  readonly organizationId: string;
  readonly state: 'open' | 'closed';
  readonly createdAt: Date;
}

const noteCollection = declareCollection<Note>('notes', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: { organizationId: required(String), state: oneOf('open', 'closed'), createdAt: required(Date) },
  indexes: [[{ createdAt: 1 }]],
});

const NOW = new Date('2026-11-22T12:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'purge-'));
let store: EmbeddedMongo;
let connection: Connection;
let notes: Model<Note>;
const errors: unknown[] = [];
const log = { error: ({ error }: { error: unknown }) => errors.push(error) } as never;

beforeAll(async () => {
  store = await startEmbeddedMongo({ folder });
  connection = await connectMongo({ uri: store.uri, database: 'purge' });
  notes = await openCollection(connection, noteCollection);
});
beforeEach(async () => {
  errors.length = 0;
  await notes.deleteMany({});
});
afterAll(async () => {
  await connection.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const note = (organizationId: string, createdAt: Date, state: Note['state'] = 'closed'): Note => ({
  _id: randomUUID(),
  organizationId,
  state,
  createdAt,
});
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);
const closed = (before: Date) => ({ state: 'closed', createdAt: { $lt: before } }) as const;

/** Runs until nothing is left to do, which the gauge says. */
async function purgeAll(purges: Purges, workers = 1): Promise<void> {
  const gauge = metricsRegistry.getSingleMetric('retention_purge_finished_timestamp_seconds') as unknown as {
    reset: () => void;
    get: () => Promise<{ values: { value: number }[] }>;
  };
  gauge.reset();
  const running = Array.from({ length: workers }, () => startPurge(purges, log, () => NOW));
  for (let tries = 0; tries < 200 && errors.length === 0; tries++) {
    if ((await gauge.get()).values[0]?.value === NOW.getTime() / 1_000) break;
    await sleep(50);
  }
  await Promise.all(running.map((each) => each.close()));
}

test('what is older than its rule goes, in as many batches as it takes, and nothing else', async () => {
  const old = Array.from({ length: 1_203 }, (_, at) => note(`organisation ${at % 7}`, daysAgo(91)));
  const young = note('organisation 1', daysAgo(89));
  const open = note('organisation 1', daysAgo(91), 'open');
  await notes.insertMany([...old, young, open]);
  const sizes: number[] = [];
  const batch = async (before: Date, limit: number): Promise<Purged> => {
    expect(before).toEqual(keptSince('deliveries', NOW));
    const purged = await deleteSome(notes, closed(before), limit);
    sizes.push(purged.purged);
    return purged;
  };
  await purgeAll({ deliveries: batch });
  expect((await notes.find().lean()).map(({ _id }) => _id).sort()).toEqual([young._id, open._id].sort());
  expect(sizes).toEqual([500, 500, 203]);
  expect(await metricsRegistry.getSingleMetricAsString('retention_purged_total')).toContain(
    'retention_purged_total{rule="deliveries"} 1203',
  );
});

test('several replicas at once do no harm', async () => {
  await notes.insertMany(Array.from({ length: 1_100 }, (_, at) => note(`organisation ${at % 3}`, daysAgo(100))));
  const young = note('organisation 1', daysAgo(1));
  await notes.insertOne(young);
  await purgeAll({ deliveries: (before, limit) => deleteSome(notes, closed(before), limit) }, 3);
  expect((await notes.find().lean()).map(({ _id }) => _id)).toEqual([young._id]);
  expect(errors).toEqual([]);
});

test('what changes between finding and deleting stays', async () => {
  const reopened = note('organisation 1', daysAgo(100));
  await notes.insertMany([reopened, note('organisation 1', daysAgo(100))]);
  const { bulkWrite } = notes;
  const spy = jest.spyOn(notes, 'bulkWrite').mockImplementationOnce(async (...given) => {
    await notes.updateOne({ organizationId: 'organisation 1', _id: reopened._id }, { $set: { state: 'open' } });
    return bulkWrite.apply(notes, given as never) as never;
  });
  expect(await deleteSome(notes, closed(daysAgo(90)), 10)).toEqual({ found: 2, purged: 1 });
  spy.mockRestore();
  expect(await notes.find().lean()).toMatchObject([{ _id: reopened._id, state: 'open' }]);
});

test('a rule that cannot be kept is said, and does not hold up the others', async () => {
  await notes.insertOne(note('organisation 1', daysAgo(100)));
  const failure = new Error('a store that does not answer');
  await purgeAll({
    mails: () => Promise.reject(failure),
    deliveries: (before, limit) => deleteSome(notes, closed(before), limit),
  });
  expect(errors).toEqual([failure]);
  expect(await notes.countDocuments()).toBe(0);
});
