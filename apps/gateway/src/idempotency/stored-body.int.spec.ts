import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { nativeCollection, openCollection, type Connection } from '@invoicing/mongo';
import { startTestStore, type TestStore } from '@invoicing/testing';
import { keyCollection } from '../keys/key-store';
import { type IdempotencyRecord } from './idempotency-record';
import { idempotencyCollection, openIdempotencyRecords } from './idempotency-store';
import { openPersonalData } from './personal-data-store';
import { packBody, unpackBody } from './stored-body';

let store: TestStore;
let connection: Connection;
beforeAll(async () => {
  store = await startTestStore();
  connection = await store.connect();
});
afterAll(() => store.close());

const heartbeats = {
  hold: () => undefined,
  release: () => undefined,
  holds: () => false,
  aliveUntil: async () => null,
  close: () => undefined,
};
const expiresAt = new Date(Date.now() + 3_600_000);
const claim = (keyId: string): IdempotencyRecord => ({
  ...{ _id: `${keyId}:${randomUUID()}`, opId: randomUUID(), fingerprint: 'f', state: 'running', attempt: 1 },
  ...{ leaseUntil: expiresAt, status: null, body: null, expiresAt },
});

/** A subscription's answer with as many lines as there can be, each with words of its own. */
const largeAnswer = (customerId = randomUUID()): string =>
  JSON.stringify({
    data: {
      ...{ customerId, name: 'Sanne de Vries – „café”', email: 'sanne@example.nl' },
      lines: Array.from({ length: 490 }, (_, at) => ({
        id: `line-${at}`,
        description: `Onderhoud van gebouw ${at * 7919} in week ${at % 52}, volgens afspraak ${'met de huismeester '.repeat(12)}`,
        unitPriceCents: at * 31,
      })),
    },
  });

async function stored(answers: readonly string[], keyId: string = randomUUID()) {
  const records = await openIdempotencyRecords(connection, 'here', heartbeats);
  const made = await Promise.all(
    answers.map(async (body) => {
      const record = claim(keyId);
      await records.insert(record);
      await records.finish(record._id, record.opId, { status: 201, body, expiresAt });
      return record._id;
    }),
  );
  const raw = nativeCollection(await openCollection(connection, idempotencyCollection));
  return { records, ids: made, raw };
}

test('every text comes back as it was', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 3_000 }), async (text) => {
      const whole = JSON.stringify(text);
      expect(await unpackBody(await packBody(whole))).toBe(whole);
    }),
  ));

test('the answer about the largest document is stored small, and is replayed byte for byte', async () => {
  const answer = largeAnswer();
  expect(answer.length).toBeGreaterThan(128 * 1024);
  const { records, ids, raw } = await stored([answer, '{"data":{}}']);
  const [large, short] = await Promise.all(ids.map((_id) => raw.findOne({ _id })));
  expect(large!.body).toBeNull();
  expect((large!.packed as { length: () => number }).length()).toBeLessThan(answer.length / 15);
  expect(short).toMatchObject({ body: '{"data":{}}', packed: null });
  expect((await records.find(ids[0]!))!.body).toBe(answer);
  expect((await records.find(ids[1]!))!.body).toBe('{"data":{}}');
});

test('records from before answers were packed are replayed as they are', async () => {
  const { records, raw } = await stored([]);
  const body = largeAnswer();
  const record = { ...claim(randomUUID()), state: 'done' as const, status: 201, body };
  await raw.insertOne(record);
  expect(await records.find(record._id)).toMatchObject({ status: 201, body });
});

test('what a stored answer says of a person is found and erased in packed ones, too, page by page', async () => {
  const [organizationId, customerId, keyId] = [randomUUID(), randomUUID(), randomUUID()];
  const keys = nativeCollection(await openCollection(connection, keyCollection));
  await keys.insertOne({ _id: keyId, organizationId } as never, { bypassDocumentValidation: true });
  // More than one message may carry.
  const { records, ids } = await stored([...Array(40).fill(largeAnswer(customerId)), largeAnswer()], keyId);
  const [source] = await openPersonalData(connection);
  const person = { organizationId, customerId, subjectIds: [] };
  let erased = 0;
  let pages = 0;
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { items, next } = await source!.page(person, cursor);
    expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(6 * 1024 * 1024);
    if (items.length > 0) erased += (await source!.erase!(person, items)).erased;
    pages++;
    cursor = next;
  }
  expect(erased).toBe(40);
  expect(pages).toBeGreaterThan(2);
  const bodies = await Promise.all(ids.map(async (_id) => (await records.find(_id))!.body!));
  expect(bodies.filter((body) => body.includes('Sanne'))).toHaveLength(1);
  expect(JSON.parse(bodies[0]!)).toMatchObject({ data: { customerId, name: 'erased', email: 'erased' } });
});
