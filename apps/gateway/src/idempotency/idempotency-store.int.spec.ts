import { nativeCollection, openCollection, type Connection } from '@invoicing/mongo';
import { startTestStore, type TestStore } from '@invoicing/testing';
import { openHeartbeats } from './heartbeat-store';
import { type IdempotencyRecord } from './idempotency-record';
import { idempotencyCollection, openIdempotencyRecords } from './idempotency-store';

// Each step is one compare and set in the store: whoever comes second changes nothing.

let store: TestStore;
let connection: Connection;
let records: Awaited<ReturnType<typeof openIdempotencyRecords>>;
const closers: (() => void)[] = [];

beforeAll(async () => {
  store = await startTestStore();
  connection = await store.connect();
  const heartbeats = await openHeartbeats(connection, 'one', () => undefined);
  closers.push(heartbeats.close);
  records = await openIdempotencyRecords(connection, 'one', heartbeats);
});
afterAll(() => {
  for (const close of closers) close();
  return store.close();
});

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const claim = (id: string): IdempotencyRecord => ({
  ...{ _id: id, fingerprint: 'f', state: 'running', attempt: 1, leaseUntil: at(1), opId: `op of ${id}` },
  ...{ status: null, body: null, expiresAt: at(60), owner: 'one', aliveUntil: at(1) },
});
const answer = (body: string) => ({ status: 201, body, expiresAt: at(60) });

test('of two attempts that finish the first is stored, and only that of its own operation', async () => {
  expect(await records.insert(claim('a'))).toBe(true);
  expect(await records.insert(claim('a'))).toBe(false);
  expect(await records.finish('a', 'another operation', answer('no'))).toBe(false);
  expect(await records.finish('a', 'op of a', answer('first'))).toBe(true);
  expect(await records.finish('a', 'op of a', answer('second'))).toBe(false);
  expect(await records.find('a')).toMatchObject({ state: 'done', body: 'first' });
});

test('of many that finish at once each is told of its own, also when another attempt was first with one of them', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `many ${index}`);
  const claimed = await Promise.all([...ids, ...ids].map((id) => records.insert(claim(id))));
  expect(claimed.filter(Boolean)).toHaveLength(ids.length);
  await records.finish('many 7', 'op of many 7', answer('of the first'));
  const large = 'long '.repeat(2_000);
  const finished = await Promise.all(
    ids.map((id, index) => records.finish(id, `op of ${id}`, answer(index % 3 ? `${id} done` : large))),
  );
  expect(finished).toEqual(ids.map((_, index) => index !== 7));
  const stored = await Promise.all(ids.map((id) => records.find(id)));
  expect(stored.map((each) => each?.body)).toEqual(
    ids.map((id, index) => (index === 7 ? 'of the first' : index % 3 ? `${id} done` : large)),
  );
});

test('of two that take over what they saw one does, and nobody what was claimed anew meanwhile', async () => {
  const seen = claim('b');
  await records.insert(seen);
  const taken = { leaseUntil: at(9), owner: 'two', aliveUntil: at(9) };
  expect(await records.takeOver(seen, taken)).toBe(true);
  expect(await records.takeOver(seen, taken)).toBe(false);
  await records.remove('b', seen.opId, 2);
  await records.insert({ ...seen, leaseUntil: at(5) });
  expect(await records.takeOver(seen, taken)).toBe(false);
  expect(await records.find('b')).toMatchObject({ attempt: 1, leaseUntil: at(5) });
});

test('what is done is neither let go nor taken over', async () => {
  await records.insert(claim('c'));
  await records.finish('c', 'op of c', answer('done'));
  await records.release('c', 'op of c', 1);
  await records.remove('c', 'op of c', 1);
  const taken = { leaseUntil: at(9), owner: 'two', aliveUntil: at(9) };
  expect(await records.takeOver(claim('c'), taken)).toBe(false);
  expect(await records.find('c')).toMatchObject({ state: 'done', body: 'done' });
});

test('a claim of ours that nobody works on is gone at once, and one that is worked on is not, however many ask', async () => {
  const live = { ...claim('d'), leaseUntil: new Date(Date.now() + 60_000), aliveUntil: new Date(Date.now() + 60_000) };
  const asked = await Promise.all([1, 2, 3].map(() => records.insert(live)));
  expect(asked.filter(Boolean)).toHaveLength(1);
  expect(await records.isGone(live)).toBe(false);
  await records.finish('d', live.opId, answer('done'));
  expect(await records.isGone(live)).toBe(true);

  // It was written, and its answer was lost.
  const lost = { ...live, _id: 'e', opId: 'op of e' };
  const written = nativeCollection(await openCollection(connection, idempotencyCollection));
  await written.insertOne(lost);
  expect(await records.isGone(lost)).toBe(true);
  expect(await records.isGone({ ...lost, owner: 'two' })).toBe(false);
});
