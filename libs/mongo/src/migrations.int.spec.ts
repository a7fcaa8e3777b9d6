import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedMongo, type EmbeddedMongo } from '@invoicing/embedded-mongo';
import { connectMongo } from './connect-mongo';
import { declareCollection, oneOf } from './declare-collection';
import { type Connection } from './driver-types';
import { dropIndex, migrate, type Migration } from './migrations';
import { openCollection } from './open-collection';

const given = process.env['MONGODB_URI'];
let folder: string;
let store: EmbeddedMongo | undefined;
let database: string;
const connections: Connection[] = [];

const connect = async (): Promise<Connection> => {
  const connection = await connectMongo({ uri: given ?? store!.uri, database });
  connections.push(connection);
  return connection;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  if (!given) store = await startEmbeddedMongo({ folder });
});
beforeEach(() => (database = `migrations_${randomUUID().slice(0, 8)}`));
afterEach(async () => {
  await connections[0]?.dropDatabase();
  for (const each of connections.splice(0)) await each.close();
});
afterAll(async () => {
  await store?.close();
  rmSync(folder, { recursive: true });
});

const counting = (names: readonly string[], ran: string[], takesMs = 0): Migration[] =>
  names.map((name) => ({
    name,
    run: async () => {
      ran.push(name);
      await delay(takesMs);
    },
  }));

test('runs each once, in order, however many replicas start at once', async () => {
  const ran: string[] = [];
  const migrations = counting(['first', 'second', 'third'], ran, 30);
  const replicas = await Promise.all(Array.from({ length: 5 }, connect));
  await Promise.all(replicas.map((each) => migrate(each, migrations, { pollMs: 5 })));
  await migrate(replicas[0]!, migrations);
  expect(ran).toEqual(['first', 'second', 'third']);
});

test('one that fails stops what comes after it, and is tried again at the next start', async () => {
  const connection = await connect();
  const ran: string[] = [];
  const [first, third] = counting(['first', 'third'], ran);
  let fails = true;
  const second: Migration = {
    name: 'second',
    run: async () => {
      if (fails) throw new Error('disk full');
      ran.push('second');
    },
  };
  const migrations = [first!, second, third!];
  await expect(migrate(connection, migrations)).rejects.toThrow('migration second failed');
  expect(ran).toEqual(['first']);
  fails = false;
  await migrate(connection, migrations);
  expect(ran).toEqual(['first', 'second', 'third']);
});

test('a process that is killed in between is followed by another, which goes on with the same step', async () => {
  const [killed, next] = [await connect(), await connect()];
  const reached: string[] = [];
  // Never ends and never renews: what a killed process looks like from outside.
  const hanging: Migration = { name: 'step', run: () => (reached.push('killed'), new Promise(() => undefined)) };
  jest.spyOn(global, 'setInterval').mockReturnValueOnce(0 as never);
  void migrate(killed, [hanging], { leaseMs: 300 });
  while (reached.length === 0) await delay(5);
  const said: string[] = [];
  const ran: string[] = [];
  await migrate(next, counting(['step'], ran), { leaseMs: 300, pollMs: 10, onProgress: (text) => said.push(text) });
  expect(said).toEqual(['waiting for migration step, which another process runs', 'migration step']);
  expect(ran).toEqual(['step']);
});

test('one that takes longer than the lease is not begun again beside itself', async () => {
  const [slow, other] = [await connect(), await connect()];
  const ran: string[] = [];
  const migrations = counting(['slow'], ran, 600);
  await Promise.all([
    migrate(slow, migrations, { leaseMs: 200, pollMs: 10 }),
    migrate(other, migrations, { leaseMs: 200, pollMs: 10 }),
  ]);
  expect(ran).toEqual(['slow']);
});

test('an earlier version that starts again leaves what a later one accepts', async () => {
  const declared = (...words: string[]) =>
    declareCollection<{ _id: string; color: string }>('things', {
      shardKey: 'one shard',
      fields: { color: oneOf(...words) },
      indexes: [],
    });
  const [later, earlier, again] = [await connect(), await connect(), await connect()];
  await migrate(earlier, counting(['first'], []));
  await openCollection(earlier, declared('red'));
  await migrate(later, counting(['first', 'second'], []));
  const things = await openCollection(later, declared('red', 'blue'));
  await things.insertOne({ _id: '1', color: 'blue' });
  await migrate(again, counting(['first'], []));
  await openCollection(again, declared('red'));
  await things.insertOne({ _id: '2', color: 'blue' });
});

test('an index is dropped once', async () => {
  const { db } = await connect();
  await dropIndex(db!, 'things', 'name_1');
  await db!.collection('things').createIndex({ name: 1 });
  for (const _ of [1, 2]) await dropIndex(db!, 'things', 'name_1');
  expect((await db!.collection('things').indexes()).map(({ name }) => name)).toEqual(['_id_']);
});
