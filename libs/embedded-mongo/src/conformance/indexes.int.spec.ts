import { Double, Long, ObjectId, type Collection, type Document, type FindCursor } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

/** The access path: COLLSCAN, or the index's name; and how much was looked at. */
async function explained(
  collection: Collection,
  filter: Document,
  options: { sort?: Document; limit?: number; hint?: string } = {},
): Promise<{ by: string; keys: number; docs: number; returned: number; sorts: boolean }> {
  const plan = await collection.find(filter, options as never).explain('executionStats');
  const { totalKeysExamined: keys, totalDocsExamined: docs, nReturned: returned } = plan.executionStats;
  const text = JSON.stringify(plan.queryPlanner.winningPlan);
  const by = /"indexName":"([^"]+)"/.exec(text)?.[1] ?? (/(EXPRESS_IXSCAN|IDHACK)/.test(text) ? '_id_' : 'COLLSCAN');
  return { by, keys, docs, returned, sorts: /"stage":"SORT/.test(text) };
}

describe('creating, listing and dropping', () => {
  it('lists what was asked for', async () => {
    const collection = await database.filled([{ a: 1 }]);
    await collection.createIndexes([
      { key: { a: 1, b: -1 } },
      { key: { c: 1 }, unique: true, sparse: true, name: 'own' },
      { key: { d: 1 }, partialFilterExpression: { e: { $gt: 5 } } },
      { key: { f: 1 }, expireAfterSeconds: 60 },
    ]);
    const listed = await collection.listIndexes().toArray();
    expect(listed.map(({ name }) => name as string)).toEqual(['_id_', 'a_1_b_-1', 'own', 'd_1', 'f_1']);
    expect(listed[2]).toMatchObject({ v: 2, key: { c: 1 }, unique: true, sparse: true });
    expect(listed[3]).toMatchObject({ partialFilterExpression: { e: { $gt: 5 } } });
    expect(listed[4]).toMatchObject({ expireAfterSeconds: 60 });
  });

  it('does nothing for an index that is there, and refuses a conflicting one', async () => {
    const collection = await database.filled([{ a: 1 }]);
    expect(await collection.createIndex({ a: 1 })).toBe('a_1');
    expect(await collection.createIndex({ a: 1 })).toBe('a_1');
    expect(await failure(collection.createIndex({ a: 1 }, { name: 'other' }))).toMatchObject({ code: 85 });
    expect(await failure(collection.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 86 });
    expect(await failure(collection.createIndex({ b: 1 }, { name: 'a_1' }))).toMatchObject({ code: 86 });
  });

  it('drops by name, by keys or all but _id', async () => {
    const collection = await database.filled([{ a: 1 }]);
    await collection.createIndexes(['a', 'b', 'c', 'd'].map((name) => ({ key: { [name]: 1 } })));
    await collection.dropIndex('a_1');
    await database.db.command({ dropIndexes: collection.collectionName, index: { b: 1 } });
    expect(await failure(collection.dropIndex('a_1'))).toMatchObject({ code: 27 });
    expect(await failure(collection.dropIndex('_id_'))).toMatchObject({ code: 72 });
    await collection.dropIndexes();
    expect(await collection.listIndexes().toArray()).toHaveLength(1);
    expect(await failure(database.db.collection('missing').listIndexes().toArray())).toMatchObject({ code: 26 });
  });

  it.each([
    [{ a: 0 }, {}, 67],
    [{ a: 'unheardOf' }, {}, 67],
    [{ a: 1, b: 1 }, { expireAfterSeconds: 1 }, 67],
    [{ a: 1 }, { expireAfterSeconds: -1 }, 67],
    [{ a: 1 }, { sparse: true, partialFilterExpression: { b: 1 } }, 67],
    [{ a: 1 }, { partialFilterExpression: { b: { $ne: 1 } } }, 67],
  ])('refuses %j %j', async (key, options, code) => {
    const collection = await database.filled([{ a: 1 }]);
    expect(await failure(collection.createIndex(key as never, options))).toMatchObject({ code });
  });

  it('does not become unique over what is not', async () => {
    const collection = await database.filled([{ a: 1 }, { a: Long.fromNumber(1) }]);
    expect(await failure(collection.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect(await collection.listIndexes().toArray()).toHaveLength(1);
  });
});

describe('unique', () => {
  it('holds for missing as for null, for updates, and frees what is deleted', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertMany([{ _id: 1 as never, a: 1 }, { _id: 2 as never, a: 2 }, { _id: 3 as never }]);
    expect(await failure(collection.insertOne({ a: null }))).toMatchObject({ code: 11000, keyValue: { a: null } });
    expect(await failure(collection.updateOne({ _id: 2 as never }, { $set: { a: 1 } }))).toMatchObject({ code: 11000 });
    expect(await collection.findOne({ _id: 2 as never })).toEqual({ _id: 2, a: 2 });
    await collection.deleteOne({ a: 1 });
    await collection.updateOne({ _id: 2 as never }, { $set: { a: 1 } });
    expect(await collection.countDocuments({ a: 1 })).toBe(1);
  });

  it('leaves out the missing when sparse, and what is not in a partial one', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    await collection.createIndex({ b: 1 }, { unique: true, partialFilterExpression: { open: true } });
    await collection.insertMany([{}, {}, { a: 1, b: 1, open: true }, { a: 2, b: 1, open: false }]);
    expect(await failure(collection.insertOne({ a: 1 }))).toMatchObject({ code: 11000 });
    expect(await failure(collection.insertOne({ a: 3, b: 1, open: true }))).toMatchObject({ code: 11000 });
    expect(await failure(collection.updateOne({ a: 2 }, { $set: { open: true } }))).toMatchObject({ code: 11000 });
    await collection.updateOne({ a: 1 }, { $set: { open: false } });
    expect(await collection.updateOne({ a: 2 }, { $set: { open: true } })).toMatchObject({ modifiedCount: 1 });
  });

  it('holds for the items of arrays of different documents, not within one', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ tags: 1 }, { unique: true });
    await collection.insertOne({ tags: ['a', 'a', 'b'] });
    expect(await failure(collection.insertOne({ tags: ['c', 'b'] }))).toMatchObject({ code: 11000 });
    await collection.insertOne({ tags: ['c', 'd'] });
  });

  it('lets exactly one of many rivals in', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ n: 1 }, { unique: true });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => collection.insertOne({ n: 1 })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses two arrays in one compound index', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ a: 1, b: 1 });
    expect(await failure(collection.insertOne({ a: [1], b: [2] }))).toMatchObject({ code: 171 });
    await collection.insertOne({ a: [1], b: 2 });
  });

  it('takes values longer than a page', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ a: 1 }, { unique: true });
    const long = 'x'.repeat(5000);
    await collection.insertMany([{ a: `${long}1` }, { a: `${long}2` }, { a: 'y' }, { a: 'x' }]);
    expect(await failure(collection.insertOne({ a: `${long}1` }))).toMatchObject({ code: 11000 });
    expect(await collection.countDocuments({ a: `${long}2` })).toBe(1);
    expect(await collection.countDocuments({ a: { $gt: `${long}1` } })).toBe(2);
    const order = await collection
      .find({ a: { $gte: 'x' } })
      .sort({ a: 1 })
      .toArray();
    expect(order.map(({ a }) => (a as string).length)).toEqual([1, 5001, 5001, 1]);
  });
});

describe('the planner', () => {
  let collection: Collection;

  beforeAll(async () => {
    collection = await database.filled(
      Array.from({ length: 1000 }, (_unused, i) => ({
        org: i % 10,
        at: i,
        status: i % 3 === 0 ? 'open' : 'paid',
        tags: [i % 7, 'x'],
        sub: { n: i },
        name: `n${String(i).padStart(4, '0')}`,
      })),
    );
    await collection.createIndexes([
      { key: { org: 1, at: -1 } },
      { key: { tags: 1 } },
      { key: { 'sub.n': 1 } },
      { key: { name: 1 } },
      { key: { at: 1 }, partialFilterExpression: { status: 'open' }, name: 'open_at' },
    ]);
  });

  it.each<
    [
      string,
      Document,
      { sort?: Document; limit?: number },
      { by: string; keys?: number; docs?: number; returned: number; sorts?: boolean },
    ]
  >([
    ['equality', { org: 3 }, {}, { by: 'org_1_at_-1', keys: 100, returned: 100 }],
    [
      'equality and range',
      { org: 3, at: { $gte: 500, $lt: 600 } },
      {},
      { by: 'org_1_at_-1', keys: 10, docs: 10, returned: 10 },
    ],
    [
      'a list in order, no further than its limit',
      { org: 3 },
      { sort: { at: -1 }, limit: 5 },
      { by: 'org_1_at_-1', keys: 5, docs: 5, returned: 5, sorts: false },
    ],
    [
      'a list in reverse',
      { org: 3 },
      { sort: { at: 1 }, limit: 5 },
      { by: 'org_1_at_-1', keys: 5, docs: 5, returned: 5, sorts: false },
    ],
    ['one of several', { org: { $in: [1, 2] }, at: { $lt: 100 } }, {}, { by: 'org_1_at_-1', returned: 20 }],
    ['an item of an array', { tags: 3 }, {}, { by: 'tags_1', returned: 143 }],
    ['a nested field', { 'sub.n': { $gt: 989 } }, {}, { by: 'sub.n_1', keys: 10, returned: 10 }],
    ['how text begins', { name: /^n001/ }, {}, { by: 'name_1', docs: 10, returned: 10 }],
    [
      'order alone',
      {},
      { sort: { org: 1, at: -1 }, limit: 3 },
      { by: 'org_1_at_-1', docs: 3, returned: 3, sorts: false },
    ],
    [
      'a partial index whose condition is given',
      { status: 'open', at: { $gt: 989 } },
      {},
      { by: 'open_at', keys: 4, docs: 4, returned: 4 },
    ],
    [
      'a partial index whose condition is not given',
      { at: { $gt: 989 } },
      {},
      { by: 'COLLSCAN', docs: 1000, returned: 10 },
    ],
    ['nothing that fits', { missing: 1 }, {}, { by: 'COLLSCAN', docs: 1000, returned: 0 }],
    [
      'alternatives, each by its index',
      { $or: [{ name: 'n0001' }, { 'sub.n': 5 }] },
      {},
      { by: 'name_1', docs: 2, returned: 2 },
    ],
  ])('uses an index for %s', async (_what, filter, options, expected) => {
    expect(await explained(collection, filter, options)).toMatchObject(expected);
  });

  it('finds by _id with one look', async () => {
    const doc = (await collection.findOne({ at: 77 }))!;
    expect(await explained(collection, { _id: doc._id })).toMatchObject({ by: '_id_', docs: 1, returned: 1 });
    expect(await explained(collection, { _id: new ObjectId() })).toMatchObject({ by: '_id_', docs: 0, returned: 0 });
  });

  it('takes the hinted index, and refuses a hint to none', async () => {
    expect(await explained(collection, { org: 3 }, { hint: 'tags_1' })).toMatchObject({ by: 'tags_1', returned: 100 });
    expect(await failure(collection.find({}, { hint: 'none' }).toArray())).toMatchObject({ code: 2 });
  });

  it('does not let two conditions on one array meet in an item that has neither', async () => {
    const arrays = await database.filled([
      { _id: 1 as never, a: [1, 9] },
      { _id: 2 as never, a: [4, 5] },
      {
        _id: 3 as never,
        b: [
          { x: 1, y: 9 },
          { x: 9, y: 1 },
        ],
      },
    ]);
    await arrays.createIndexes([{ key: { a: 1 } }, { key: { 'b.x': 1, 'b.y': 1 } }]);
    const found = async (filter: Document): Promise<unknown[]> =>
      (await arrays.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
    expect(await found({ a: { $gt: 3, $lt: 6 } })).toEqual([1, 2]);
    expect(await found({ a: { $gt: 5, $lt: 4 } })).toEqual([1]);
    expect(await found({ 'b.x': 1, 'b.y': 1 })).toEqual([3]);
  });
});

describe('a query whose index has all that is asked for', () => {
  const look = async (filter: Document, projection: Document, documents: Document[]): Promise<[Document[], number]> => {
    const collection = await database.filled(documents);
    await collection.createIndex({ a: 1, 'b.c': -1 });
    const find = (): FindCursor<Document> => collection.find(filter, { projection }).sort({ a: 1 });
    const { executionStats } = (await find().explain('executionStats')) as {
      executionStats: { totalDocsExamined: number };
    };
    return [await find().toArray(), executionStats.totalDocsExamined];
  };

  it('reads no documents', async () => {
    const at = new Date(5);
    const documents = [{ a: 'x', b: { c: at, d: 1 }, e: 1 }, { a: 'y', b: { c: 7 } }, { a: 'z', b: { c: Long.fromNumber(8) } }]; // prettier-ignore
    const [found, read] = await look({ a: { $gte: 'x' } }, { _id: 0, a: 1, 'b.c': 1 }, documents);
    expect(found).toEqual([{ a: 'x', b: { c: at } }, { a: 'y', b: { c: 7 } }, { a: 'z', b: { c: 8 } }]); // prettier-ignore
    expect(read).toBe(0);
  });

  it('reads those that their key does not tell', async () => {
    const [found, read] = await look({ a: { $gte: 1 } }, { _id: 0, a: 1, 'b.c': 1 }, [{ a: 1 }, { a: 2, b: { c: null } }]); // prettier-ignore
    expect(found).toEqual([{ a: 1 }, { a: 2, b: { c: null } }]);
    expect(read).toBeLessThanOrEqual(2);
  });

  it('and asks for more, or an array is in it, reads them all', async () => {
    expect((await look({ a: { $gte: 1 } }, { _id: 0, a: 1, e: 1 }, [{ a: 1, e: 2 }]))[1]).toBe(1);
    const [found, read] = await look({ a: { $gte: 1 } }, { _id: 0, a: 1 }, [{ a: [1, 2] }]);
    expect([found, read]).toEqual([[{ a: [1, 2] }], 1]);
  });

  it('gives a number of the width that it has now', async () => {
    const collection = await database.filled([{ a: 1 }]);
    await collection.createIndex({ a: 1 });
    await collection.updateOne({}, { $set: { a: Long.fromNumber(1) } });
    const find = { projection: { _id: 0, a: 1 }, promoteLongs: false, promoteValues: false };
    expect((await collection.findOne({ a: 1 }, find))!.a).toBeInstanceOf(Long);
    await collection.updateOne({}, { $set: { a: new Double(1) } });
    expect((await collection.findOne({ a: 1 }, find))!.a).toBeInstanceOf(Double);
  });
});
