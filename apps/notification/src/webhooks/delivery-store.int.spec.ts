import { randomUUID } from 'node:crypto';
import { connectMongo, type Connection } from '@invoicing/mongo';
import { startTestStore, type TestStore } from '@invoicing/testing';
import { notificationMigrations } from '../notification-migrations';
import { leased, newDelivery, queued, type NextState } from './delivery';
import { openDeliveryStore, type DeliveryStore } from './delivery-store';

let store: TestStore;
let connection: Connection;
let deliveries: DeliveryStore;
const database = 'deliveries';
const organizationId = randomUUID();
beforeAll(async () => {
  store = await startTestStore();
  connection = await connectMongo({ uri: store.uri, database });
  deliveries = await openDeliveryStore(connection);
});
afterAll(async () => {
  await connection.close();
  await store.close();
});

async function insert(endpointId: string, state: NextState) {
  const event = { eventId: randomUUID(), eventType: 'invoice.paid', organizationId, body: '{}' };
  const delivery = newDelivery(endpointId, event, new Date(), state);
  await deliveries.insertNew(delivery);
  return delivery;
}

const later = (ms: number) => new Date(Date.now() + ms);

test('one is led from queue to queue, to the oldest of each; what waits for its time is in none', async () => {
  const [first, second] = ['a', 'b'].map((name) => `${name}-${randomUUID()}`) as [string, string];
  await insert(first, leased('lease', later(60_000)));
  await insert(second, queued(second, later(3_000)));
  const oldest = [await insert(first, queued(first, later(1_000))), await insert(second, queued(second, later(2_000)))];
  const found: string[] = [];
  for (let queue: string | undefined = ''; queue !== undefined;) {
    const next = await deliveries.firstOfNextQueue(queue);
    if (next) found.push(next._id);
    queue = next?.queue;
  }
  expect(found).toEqual(oldest.map(({ _id }) => _id));
  const { executionStats } = (await connection
    .db!.collection('deliveries')
    .find({ queue: { $gt: first } })
    .sort({ queue: 1, queuedAt: 1 })
    .limit(1)
    .explain('executionStats')) as { executionStats: { totalDocsExamined: number } };
  expect(executionStats.totalDocsExamined).toBe(1);
});

test('of two who found the same deliveries, one takes each; only who has the lease prolongs it', async () => {
  const endpointId = randomUUID();
  for (let count = 0; count < 8; count++) await insert(endpointId, queued(endpointId, new Date()));
  const found = await deliveries.queuedFor({ organizationId, _id: endpointId }, 8);
  const taken = await Promise.all([
    deliveries.claim(found.slice(0, 6), later(10_000)),
    deliveries.claim(found.slice(2), later(10_000)),
  ]);
  expect(new Set(taken.flat().map(({ _id }) => _id)).size).toBe(8);
  expect(taken.flat()).toHaveLength(8);
  expect(await deliveries.queuedFor({ organizationId, _id: endpointId }, 8)).toEqual([]);

  const [mine] = taken.flat();
  const until = later(90_000);
  await deliveries.renew([{ ...mine!, lease: 'of somebody else' }], until);
  expect((await deliveries.find(organizationId, mine!._id))!.dueAt).not.toEqual(until);
  await deliveries.renew([mine!], until);
  expect((await deliveries.find(organizationId, mine!._id))!.dueAt).toEqual(until);
});

test('an outcome without the lease counts only when it has arrived', async () => {
  const delivery = await insert(randomUUID(), leased('lease', later(10_000)));
  const attempt = { at: new Date(), status: 500, error: '', durationMs: 1, excerpt: '' };
  const lost = { ...delivery, lease: 'lost' };
  await deliveries.record(lost, attempt, { status: 'failed', tries: 1 });
  expect(await deliveries.find(organizationId, delivery._id)).toMatchObject({ status: 'pending', attempts: [] });
  await deliveries.record(lost, { ...attempt, status: 200 }, { status: 'delivered', tries: 1 });
  const delivered = (await deliveries.find(organizationId, delivery._id))!;
  expect(delivered).toMatchObject({ status: 'delivered', tries: 1, attempts: [{ status: 200 }] });
  expect([delivered.dueAt, delivered.lease]).toEqual([undefined, undefined]);
});

test('a store of the version before: the mark of a queue leaves its endpoints, and they name the event that they got', async () => {
  const before = await connectMongo({ uri: store.uri, database: 'before' });
  const endpoints = before.db!.collection<{ _id: string }>('endpoints');
  await endpoints.insertMany([
    { _id: 'behind', organizationId, events: ['invoice.paid'], behindAt: new Date() },
    { _id: 'other', organizationId, events: [] },
  ] as never);
  await endpoints.createIndex({ behindAt: 1 }, { sparse: true });
  await before.close();
  const now = await connectMongo({ uri: store.uri, database: 'before', migrations: notificationMigrations });
  const found = now.db!.collection('endpoints');
  expect(await found.find().toArray()).toEqual([
    { _id: 'behind', organizationId, events: ['invoice.paid'] },
    { _id: 'other', organizationId, events: ['invoice.paid'] },
  ]);
  expect(await found.indexExists('behindAt_1')).toBe(false);
  await now.close();
});
