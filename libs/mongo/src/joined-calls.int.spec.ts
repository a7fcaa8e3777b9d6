import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo, type EmbeddedMongo } from '@invoicing/embedded-mongo';
import { connectMongo } from './connect-mongo';
import { declareCollection, required } from './declare-collection';
import { type Collection, type Connection } from './driver-types';
import { joinedFind, joinedFinds, joinedInserts } from './joined-calls';
import { nativeCollection, openCollection } from './open-collection';

interface Parcel {
  readonly _id: string;
  readonly organizationId: string;
  readonly label: string;
}

const parcels = declareCollection<Parcel>('parcels', {
  shardKey: { organizationId: 1 },
  fields: { organizationId: required(String), label: required(String) },
  indexes: [[{ organizationId: 1, label: 1 }, { unique: true }]],
});

// Against another server: MONGODB_URI=… npx jest libs/mongo
const given = process.env['MONGODB_URI'];
let folder: string;
let store: EmbeddedMongo | undefined;
let connection: Connection;
let native: Collection<Parcel>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joined-'));
  if (!given) store = await startEmbeddedMongo({ folder });
  connection = await connectMongo({ uri: given ?? store!.uri, database: `joined_${process.pid}` });
  native = nativeCollection(await openCollection(connection, parcels));
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
  await store?.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => native.deleteMany({}));

const parcel = (_id: string, organizationId = 'bakery', label = _id): Parcel => ({ _id, organizationId, label });
const ids = Array.from({ length: 250 }, (_, index) => `p${index}`);

/** How often a method of the collection is called meanwhile. */
async function callsOf(method: 'insertMany' | 'find', work: () => Promise<unknown>): Promise<number> {
  const spy = jest.spyOn(native, method);
  await work();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

test('of many inserts at once each is there, in a few commands, and each id once', async () => {
  const insert = joinedInserts(native);
  let answers: boolean[] = [];
  const calls = await callsOf('insertMany', async () => {
    answers = await Promise.all([...ids, ...ids].map((id) => insert(parcel(id))));
  });
  expect(calls).toBeLessThanOrEqual(6);
  expect(answers.filter(Boolean)).toHaveLength(ids.length);
  expect(await native.countDocuments({})).toBe(ids.length);
});

test('what is refused is refused alone: by the validator, by another unique index', async () => {
  const insert = joinedInserts(native);
  const foul = { _id: 'foul', organizationId: 'bakery' } as Parcel;
  const all = [parcel('first'), parcel('a'), foul, parcel('b', 'bakery', 'a'), parcel('c'), parcel('c')];
  const [first, a, refused, taken, c, again] = await Promise.allSettled(all.map((each) => insert(each)));
  for (const done of [first, a, c]) expect(done).toMatchObject({ value: true });
  expect(again).toMatchObject({ value: false });
  expect(refused).toMatchObject({ reason: { code: 121 } });
  expect(taken).toMatchObject({ reason: { code: 11000, keyPattern: { organizationId: 1, label: 1 } } });
  expect((await native.distinct('_id')).sort()).toEqual(['a', 'c', 'first']);
});

test('when a command fails it fails for those whose documents it held, and the next goes on', async () => {
  const insert = joinedInserts(native);
  const lost = jest.spyOn(native, 'insertMany').mockRejectedValueOnce(new Error('connection lost'));
  const answers = await Promise.allSettled(['x', 'y', 'z'].map((id) => insert(parcel(id))));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  lost.mockRestore();
  expect(await insert(parcel('y'))).toBe(true);
});

test('many finds at once are a few commands, and nobody gets what is another organisation’s', async () => {
  await native.insertMany(ids.map((id, index) => parcel(id, index % 2 ? 'bakery' : 'butcher')));
  const find = joinedFind(native);
  let found: (Parcel | null)[] = [];
  const calls = await callsOf('find', async () => {
    found = await Promise.all(['none', ...ids].map((id) => find('bakery', id)));
  });
  expect(calls).toBeLessThanOrEqual(4);
  expect(found[0]).toBeNull();
  expect(found.slice(1).map((each) => each?._id ?? null)).toEqual(ids.map((id, index) => (index % 2 ? id : null)));
});

test('finds of many ids; of none there is nothing to ask; and by the id alone', async () => {
  await native.insertMany([parcel('a'), parcel('b', 'butcher'), parcel('c')]);
  const find = joinedFinds(native);
  const asked = [find('bakery', ['a', 'b', 'c', 'a']), find('butcher', ['b', 'c']), find(undefined, ['b', 'a'])];
  const found = await Promise.all([...asked, find('bakery', [])]);
  expect(found.map((each) => each.map(({ _id }) => _id).sort())).toEqual([['a', 'c'], ['b'], ['a', 'b'], []]);
});

test('a find sees what was written before it was asked', async () => {
  const find = joinedFind(native);
  const before = find('bakery', 'late');
  const meanwhile = find('bakery', 'other');
  await native.insertOne(parcel('late'));
  const after = find('bakery', 'late');
  await Promise.all([before, meanwhile]);
  expect(await after).toMatchObject({ _id: 'late' });
});
