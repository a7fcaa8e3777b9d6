import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createConnection } from 'mongoose';
import { startEmbeddedMongo, type EmbeddedMongo } from '@invoicing/embedded-mongo';
import { claimDue } from './claim-due';
import { connectMongo } from './connect-mongo';
import { declareCollection, embedded, oneOf, optionalList, required } from './declare-collection';
import { type Connection, type Model } from './driver-types';
import { joinedInserts } from './joined-calls';
import { isDuplicateKey, isRefusedByValidator } from './mongo-errors';
import { newest, newestPage } from './newest';
import { nativeCollection, openCollection } from './open-collection';
import { compareAndSet, insertOnce, insertOrFind } from './write-once';

interface Parcel {
  readonly _id: string;
  readonly organizationId: string;
  readonly label: string;
  readonly state: 'waiting' | 'sent';
  readonly weight: number;
  readonly lines: readonly { readonly name: string; readonly tags?: readonly string[] }[];
  readonly note?: string | null;
  readonly dueAt?: Date | null;
  readonly createdAt: Date;
}

const parcels = declareCollection<Parcel>('parcels', {
  shardKey: { organizationId: 1 },
  fields: {
    organizationId: required(String),
    label: required(String),
    state: oneOf('waiting', 'sent'),
    weight: required(Number),
    lines: required([embedded<Parcel['lines'][number]>({ name: required(String), tags: optionalList(String) })]),
    note: String,
    dueAt: Date,
    createdAt: required(Date),
  },
  indexes: [
    [{ organizationId: 1, label: 1 }, { unique: true }],
    [{ organizationId: 1, createdAt: -1, _id: -1 }],
    [{ dueAt: 1 }, { sparse: true }],
  ],
});

// Against another server: MONGODB_URI=… npx jest libs/mongo
const given = process.env['MONGODB_URI'];
let folder: string;
let store: EmbeddedMongo | undefined;
let connection: Connection;
let model: Model<Parcel>;
const uri = (): string => given ?? store!.uri;
const connect = (): Promise<Connection> =>
  connectMongo({ uri: uri(), database: connection?.name ?? `dialect_${randomUUID().slice(0, 8)}` });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dialect-'));
  if (!given) store = await startEmbeddedMongo({ folder });
  connection = await connect();
});
beforeEach(async () => {
  await connection.dropDatabase();
  model = await openCollection(connection, parcels);
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
  await store?.close();
  rmSync(folder, { recursive: true });
});

const parcel = (changes: Partial<Parcel> = {}): Parcel => ({
  _id: randomUUID(),
  organizationId: 'bakery',
  label: randomUUID(),
  state: 'waiting',
  weight: 5,
  lines: [{ name: 'bread', tags: ['fresh'] }, { name: '' }],
  createdAt: new Date(1_000),
  ...changes,
});

describe('a declared collection', () => {
  it('reads back what was written, lean, by either way', async () => {
    const [one, two] = [parcel(), parcel({ note: null })];
    await model.insertOne(one);
    await nativeCollection(model).insertOne(two);
    for (const each of [one, two])
      expect(await model.findOne({ organizationId: 'bakery', _id: each._id }).lean().exec()).toStrictEqual(each);
  });

  it('is refused what does not fit by the database itself, also past the model', async () => {
    const native = nativeCollection(model);
    const wrong = [{ label: 5 }, { state: 'lost' }, { createdAt: 'today' }, { lines: [{ name: 5 }] }, { weight: null }];
    for (const each of wrong) {
      const error = await native.insertOne(parcel(each as never)).catch((thrown: unknown) => thrown);
      expect([each, isRefusedByValidator(error)]).toEqual([each, true]);
    }
    const { label: _label, ...without } = parcel();
    await expect(native.insertOne(without as Parcel)).rejects.toMatchObject({ code: 121 });
    const good = parcel();
    await native.insertOne(good);
    await expect(native.updateOne({ _id: good._id }, { $set: { state: 'lost' as never } })).rejects.toMatchObject({
      code: 121,
    });
    expect(await native.countDocuments()).toBe(1);
  });

  it('refuses a field that nobody declared', async () => {
    await expect(model.insertOne({ ...parcel(), color: 'red' } as Parcel)).rejects.toThrow('color');
    await expect(model.updateOne({ organizationId: 'bakery' }, { color: 'red' } as never).exec()).rejects.toThrow(
      'color',
    );
    await expect(model.find({ color: 'red' } as never).exec()).rejects.toThrow('color');
  });

  it('has its indexes', async () => {
    const keys = (await nativeCollection(model).indexes()).map(({ key }) => key as object);
    expect(keys).toEqual(
      expect.arrayContaining([
        { organizationId: 1, label: 1 },
        { organizationId: 1, createdAt: -1, _id: -1 },
        { dueAt: 1 },
      ]),
    );
    const first = parcel();
    await model.insertOne(first);
    const error = await model.insertOne(parcel({ label: first.label })).catch((thrown: unknown) => thrown);
    expect(isDuplicateKey(error, 'label')).toBe(true);
    await model.insertOne(parcel({ label: first.label, organizationId: 'butcher' }));
  });

  it('leaves documents of the version before changeable, and new ones not', async () => {
    await connection.db!.dropCollection('parcels');
    const before = { _id: 'old', organizationId: 'bakery', label: 'old', createdAt: new Date() };
    await connection.db!.collection<{ _id: string }>('parcels').insertOne(before);
    model = await openCollection(connection, parcels);
    expect(await compareAndSet(model, { organizationId: 'bakery', _id: 'old' }, { $set: { weight: 7 } })).toBe(true);
    await expect(nativeCollection(model).insertOne({ ...before, _id: 'new' } as never)).rejects.toMatchObject({
      code: 121,
    });
  });

  it('is opened by replicas that start at once', async () => {
    await connection.dropDatabase();
    const connections = await Promise.all(Array.from({ length: 6 }, connect));
    const opened = await Promise.all(connections.map((each) => openCollection(each, parcels)));
    await Promise.all(opened.map((each) => each.insertOne(parcel())));
    expect(await model.countDocuments({ organizationId: 'bakery' })).toBe(6);
    await Promise.all(connections.map((each) => each.close()));
  });

  it('cannot be declared with a unique index that a sharded cluster could not keep', () => {
    const declare = (indexes: Parameters<typeof declareCollection>[1]['indexes'], shardKey: 1 | 'hashed' = 1) =>
      declareCollection<{ _id: string; token: string; organizationId: string }>('tokens', {
        shardKey: { organizationId: shardKey },
        fields: { token: required(String), organizationId: required(String) },
        indexes,
      });
    expect(() => declare([[{ token: 1 }, { unique: true }]])).toThrow('token does not begin with the shard key');
    expect(() => declare([[{ organizationId: 1, token: 1 }, { unique: true }]], 'hashed')).toThrow('shard key');
    expect(declare([[{ organizationId: 1, token: 1 }, { unique: true }], [{ token: 1 }]]).name).toBe('tokens');
  });
});

it('a connection at rest looks at its pool every few seconds only', async () => {
  const { topology } = connection.getClient() as unknown as {
    topology: { s: { servers: Map<string, { pool: { options: Record<string, unknown> } }> } };
  };
  const pools = [...topology.s.servers.values()].map(({ pool }) => pool.options['minPoolSizeCheckFrequencyMS']);
  expect(pools).toEqual(pools.map(() => 10_000));
  expect(pools.length).toBeGreaterThan(0);
});

describe('the shared verbs', () => {
  it('insertOnce: of many at once one inserts, by model and natively', async () => {
    for (const into of [model, nativeCollection(model)]) {
      const one = parcel();
      const answers = await Promise.all(Array.from({ length: 16 }, () => insertOnce<Parcel>(into as never, one)));
      expect(answers.filter(Boolean)).toHaveLength(1);
    }
    const taken = parcel();
    await insertOnce(model, taken);
    expect(await insertOnce(model, parcel({ label: taken.label }))).toBe(false);
    await expect(insertOnce(model, parcel({ label: taken.label }), '_id')).rejects.toMatchObject({ code: 11000 });
  });

  it('insertOrFind: of many at once all answer the same; the id of another organisation is a conflict', async () => {
    const _id = randomUUID();
    const insert = joinedInserts(nativeCollection(model));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        insertOrFind<Parcel>(model, parcel({ _id, weight: index }), index % 2 ? insert : undefined),
      ),
    );
    expect(new Set(answers.map(({ weight }) => weight)).size).toBe(1);
    const foreign = insertOrFind<Parcel>(model, parcel({ _id, organizationId: 'butcher' }));
    await expect(foreign).rejects.toMatchObject({ kind: 'conflict', code: 'idempotency_conflict' });
  });

  it('compareAndSet: of many who saw the same one changes it', async () => {
    const one = parcel();
    await model.insertOne(one);
    const seen = { organizationId: 'bakery', _id: one._id, weight: 5 };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => compareAndSet(model, seen, { $set: { weight: 100 + index } })),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const foreign = { ...seen, organizationId: 'butcher', weight: { $gte: 0 } };
    expect(await compareAndSet(model, foreign, { $set: { weight: 0 } })).toBe(false);
  });

  it('newest: newest first, of one organisation, the fields that were asked for', async () => {
    const at = (ms: number, changes = {}) => parcel({ createdAt: new Date(ms), ...changes });
    const made = [at(1), at(3, { _id: 'b' }), at(3, { _id: 'a' }), at(2), at(9, { organizationId: 'butcher' })];
    await nativeCollection(model).insertMany([...made]);
    const found = await newest<Parcel, { _id: string; label: string }>(
      model,
      { organizationId: 'bakery' },
      { limit: 3, fields: ['label'] },
    );
    expect(found).toStrictEqual([made[1], made[2], made[3]].map((each) => ({ _id: each!._id, label: each!.label })));
  });

  it('newestPage: whatever is inserted meanwhile, what was there is met exactly once and in order', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(times, times, fc.integer({ min: 1, max: 5 }), async (before, during, limit) => {
        await model.deleteMany({});
        const make = (ms: number): Parcel => parcel({ createdAt: new Date(ms) });
        const there = before.map(make);
        if (there.length > 0) await nativeCollection(model).insertMany(there);
        const seen: Parcel[] = [];
        const later = during.map(make);
        let cursor: string | undefined;
        do {
          const page = await newestPage(model, { organizationId: 'bakery' }, { limit, cursor });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items);
          cursor = page.next;
          const inserted = later.pop();
          if (inserted) await model.insertOne(inserted);
        } while (cursor !== undefined);
        const ids = seen.map(({ _id }) => _id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining(there.map(({ _id }) => _id)));
        const order = seen.map(({ createdAt, _id }) => `${createdAt.getTime()} ${_id}`);
        expect(order).toEqual([...order].sort().reverse());
      }),
      { numRuns: 25 },
    );
  });

  it('newestPage: a page that is not the last leaves no session open', async () => {
    await model.deleteMany({});
    const many = Array.from({ length: 250 }, (_, ms) => parcel({ createdAt: new Date(ms) }));
    await nativeCollection(model).insertMany(many);
    const watched = await createConnection(uri(), { dbName: connection.name, monitorCommands: true }).asPromise();
    const sessions: string[] = [];
    watched.getClient().on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') sessions.push(String(command['lsid'].id));
    });
    const same = await openCollection(watched, parcels);
    for (let nth = 0; nth < 5; nth++)
      await newestPage(same, { organizationId: 'bakery' }, { limit: 200, fits: () => false });
    await watched.close();
    // A session that was given back is the next one to be used.
    expect(sessions).toHaveLength(5);
    expect(new Set(sessions).size).toBe(1);
  });

  it('newestPage: refuses what is no cursor', async () => {
    for (const cursor of [
      '',
      'x',
      Buffer.from('{}').toString('base64url'),
      Buffer.from('["1",{}]').toString('base64url'),
    ])
      await expect(newestPage(model, { organizationId: 'bakery' }, { limit: 1, cursor })).rejects.toMatchObject({
        code: 'validation',
        details: [{ path: '/cursor' }],
      });
  });

  it('claimDue: each is taken by one, the oldest first, and again when the lease is over', async () => {
    const now = new Date(10_000);
    const leaseUntil = new Date(20_000);
    const due = [3, 1, 2].map((ms) => parcel({ dueAt: new Date(ms) }));
    const rest = [
      parcel(),
      parcel({ dueAt: new Date(10_001) }),
      parcel({ dueAt: null }),
      parcel({ dueAt: new Date(0), state: 'sent' }),
    ];
    await nativeCollection(model).insertMany([...due, ...rest]);
    const wanted = { where: { state: 'waiting' as const }, now, leaseUntil };
    const first = await claimDue(model, wanted);
    expect(first).toStrictEqual({ ...due[1], dueAt: leaseUntil });
    const others = await Promise.all(Array.from({ length: 6 }, () => claimDue(model, wanted)));
    expect(others.flatMap((each) => each?._id ?? []).sort()).toEqual([due[0]!._id, due[2]!._id].sort());
    expect(await claimDue(model, { ...wanted, now: leaseUntil, leaseUntil: new Date(30_000) })).not.toBeNull();
  });
});
