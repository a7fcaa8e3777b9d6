import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { createLogger } from '@invoicing/telemetry';
import { startEmbeddedMongo, type EmbeddedMongo } from '@invoicing/embedded-mongo';
import { connectMongo, type Collection, type Document } from '@invoicing/mongo';
import { connectEvents, ensureStream, STREAM, type NatsConnection } from './connect-events';
import { consumeEvents } from './consume-events';
import { freePort, startNatsServer, type NatsServer } from './nats-server';
import { outboxEntry, outboxIndex } from './outbox';
import { startOutboxRelay } from './outbox-relay';
import { clocksMoved } from './signal';

interface Changed extends Document {
  _id: string;
  organizationId: string;
}

let storeFolder: string;
let store: EmbeddedMongo;
let collection: Collection<Changed>;
let folder: string;
let port: number;
let server: NatsServer;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  storeFolder = mkdtempSync(join(tmpdir(), 'events-store-'));
  store = await startEmbeddedMongo({ folder: storeFolder });
});
afterAll(async () => {
  await store.close();
  rmSync(storeFolder, { recursive: true });
});

beforeEach(async () => {
  const connection = await connectMongo({ uri: store.uri, database: `events_${randomUUID().slice(0, 8)}` });
  closers.push(() => connection.close());
  collection = connection.collection<Changed>('changed');
  await collection.createIndex(...outboxIndex);
  folder = mkdtempSync(join(tmpdir(), 'events-nats-'));
  port = await freePort();
  server = await startNatsServer({ folder, port });
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function restartBroker(options: { loseFolder: boolean }): Promise<void> {
  server.process.kill('SIGKILL');
  await server.close();
  if (options.loseFolder) rmSync(folder, { recursive: true, force: true });
  server = await startNatsServer({ folder, port });
}

async function connect(name: string): Promise<NatsConnection> {
  const connection = await connectEvents({ url: server.url, name });
  closers.push(() => connection.close());
  return connection;
}

async function startRelay(resendMs = 1_000) {
  const relay = startOutboxRelay({
    connection: await connect('billing'),
    source: 'billing',
    collections: [collection as unknown as Collection],
    onError: () => undefined,
    resendMs,
    pollMs: 50,
  });
  closers.push(() => relay.close());
  return relay;
}

/** Counts how often each event was handled; `handle` may refuse. */
async function startConsumer(handle: (event: Event) => Promise<void> = async () => undefined) {
  const seen = new Map<string, number>();
  const consumer = consumeEvents({
    connection: await connect('notification'),
    durable: 'notification',
    handle: async (event) => {
      seen.set(event.id, (seen.get(event.id) ?? 0) + 1);
      await handle(event);
    },
    onError: () => undefined,
  });
  closers.push(() => consumer.close());
  return seen;
}

async function change(count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () =>
    Event.fromPartial({ id: randomUUID(), type: 'checkout.paid', source: 'billing', occurredAt: new Date() }),
  );
  await collection.insertMany(
    events.map((event) => ({ _id: randomUUID(), organizationId: 'o', outbox: [outboxEntry(event)] })),
  );
  return events.map(({ id }) => id);
}

async function waitFor<T>(probe: () => T | Promise<T>, timeoutMs = 10_000): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ; await setTimeout(20)) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`not so after ${timeoutMs} ms: ${probe.toString()}`);
  }
}

const pending = () => collection.countDocuments({ 'outbox.dueAt': { $gt: new Date(0) } });
const allSettled = () => waitFor(async () => (await pending()) === 0, 20_000);

test('an event goes from its document to the consumer once, and leaves the document', async () => {
  const seen = await startConsumer();
  const relay = await startRelay();
  const ids = await change(20);
  relay.wake();
  await allSettled();
  expect([...seen.keys()].sort()).toEqual(ids.sort());
  expect([...seen.values()]).toEqual(ids.map(() => 1));
});

test('more events at once than go into a batch: each once, and what is settled in time is written once', async () => {
  const seen = await startConsumer();
  const relay = await startRelay(60_000);
  const writes = jest.spyOn(collection, 'bulkWrite');
  const ids = await change(700);
  relay.wake();
  await allSettled();
  expect([...seen.keys()].sort()).toEqual(ids.sort());
  expect([...seen.values()]).toEqual(ids.map(() => 1));
  writes.mockClear();
  for (let nth = 0; nth < 20; nth++) {
    await change(1);
    relay.wake();
    await allSettled();
  }
  const isPostponed = (operation: unknown) => JSON.stringify(operation).includes('dueAt');
  const postponed = writes.mock.calls.flatMap(([operations]) => operations.filter(isPostponed));
  // All of them without what is settled in time.
  expect(postponed.length).toBeLessThan(20);
});

test('what was published and nobody has settled stays in its document, to be published again later', async () => {
  const relay = await startRelay(60_000);
  await change(1);
  relay.wake();
  const entry = await waitFor(async () => {
    const [only] = ((await collection.findOne({}))?.['outbox'] ?? []) as { dueAt: Date }[];
    if (!only) throw new Error('the event is gone');
    return only.dueAt.getTime() > Date.now() ? only : undefined;
  });
  expect(entry?.dueAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
});

test('what cannot be written to be due later is looked for again with the polls, and not at once', async () => {
  const refused = jest.spyOn(collection, 'bulkWrite').mockRejectedValue(new Error('no primary'));
  const looks = jest.spyOn(collection, 'find');
  await startRelay(60_000);
  await change(400);
  await waitFor(() => refused.mock.calls.length > 0);
  await setTimeout(1_000);
  expect(looks.mock.calls.length).toBeLessThan(12);
  refused.mockRestore();
});

test('a document with several events keeps those that are not settled yet', async () => {
  let refuse = true;
  const [first, second] = [randomUUID(), randomUUID()];
  const event = (id: string) =>
    outboxEntry(Event.fromPartial({ id, type: 'checkout.paid', source: 'billing', occurredAt: new Date() }));
  await collection.insertOne({ _id: randomUUID(), organizationId: 'o', outbox: [event(first), event(second)] });
  await startConsumer(async ({ id }) => {
    if (id === second && refuse) throw new Error('not now');
  });
  await startRelay();
  const left = await waitFor(async () => {
    const document = await collection.findOne({});
    return document?.['outbox'].length === 1 && document['outbox'];
  });
  expect(left).toMatchObject([{ id: second }]);
  refuse = false;
  await allSettled();
});

test('what is refused comes again; what is no event is put aside', async () => {
  let refusals = 2;
  const seen = await startConsumer(async () => {
    if (refusals-- > 0) throw new Error('not now');
  });
  const connection = await connect('stranger');
  await connection.jetstream().publish('events.nonsense', 'not JSON');
  await startRelay(60_000);
  const [id] = await change(1);
  await allSettled();
  expect(seen).toEqual(new Map([[id, 3]]));
});

test('a broker that is killed and started again loses nothing', async () => {
  const seen = await startConsumer();
  await startRelay();
  const before = await change(30);
  await restartBroker({ loseFolder: false });
  const after = await change(30);
  await allSettled();
  expect([...seen.keys()].sort()).toEqual([...before, ...after].sort());
});

test('a broker that lost its folder loses nothing: stream and consumer are made again and the outbox publishes again', async () => {
  let lost = true;
  // Published and acknowledged by the broker, but never settled: only the store still knows them.
  const seen = await startConsumer(async () => {
    if (lost) throw new Error('not before the broker lost it');
  });
  await startRelay();
  const before = await change(30);
  await waitFor(() => seen.size === before.length);
  await restartBroker({ loseFolder: true });
  lost = false;
  const after = await change(30);
  await allSettled();
  expect([...seen.keys()].sort()).toEqual([...before, ...after].sort());
});

test('replicas of a consumer share the work', async () => {
  const [one, two] = [await startConsumer(), await startConsumer()];
  await startRelay(60_000);
  const ids = await change(200);
  await allSettled();
  expect(one.size + two.size).toBe(ids.length);
});

test('the stream may be made by many at once', async () => {
  const connection = await connect('many');
  const manager = await connection.jetstreamManager();
  await manager.streams.delete(STREAM);
  await Promise.all(Array.from({ length: 8 }, () => ensureStream(manager)));
  expect((await manager.streams.info(STREAM)).config.subjects).toEqual(['events.>']);
});

test('waiting for a broker says so, seldom, and ends when it is told to', async () => {
  const said: string[] = [];
  const stop = new AbortController();
  const connecting = connectEvents({
    url: `nats://127.0.0.1:${await freePort()}`,
    name: 'early',
    onWaiting: (message) => said.push(message),
    signal: stop.signal,
  });
  await waitFor(() => said.length > 0);
  globalThis.setTimeout(() => stop.abort(), 1_200);
  await expect(connecting).rejects.toMatchObject({ name: 'AbortError' });
  expect(said).toEqual([expect.stringContaining('waiting for NATS')]);
});

test('a signal is heard by all who listen, whoever tells it', async () => {
  const [billing, checkout] = [listen('billing'), listen('checkout')];
  await waitFor(() => billing.heard() === 1 && checkout.heard() === 1);
  expect(await billing.signal.tell()).toBe(true);
  await waitFor(() => billing.heard() === 2 && checkout.heard() === 2);
});

test('without the broker no signal is passed on; one that was missed is made up for when it is back', async () => {
  const { signal, heard } = listen('billing');
  await waitFor(() => signal.isHeard());
  server.process.kill('SIGKILL');
  await server.close();
  await waitFor(() => !signal.isHeard());
  expect(await signal.tell()).toBe(false);
  const before = heard();
  server = await startNatsServer({ folder, port });
  await waitFor(() => signal.isHeard() && heard() > before);
});

function listen(source: string) {
  const signal = clocksMoved({ natsUrl: server.url, source, log: createLogger('signals', 'silent') });
  closers.push(() => signal.close());
  let count = 0;
  signal.onTold(() => count++);
  return { signal, heard: () => count };
}
