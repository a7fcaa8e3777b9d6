import { failure, useDatabase } from './database';

describe('views and collations', () => {
  const database = useDatabase();
  const nocase = { locale: 'en', strength: 2 };

  it('a view is read with find, count, distinct and aggregate, also through another view and from $lookup', async () => {
    const { db } = database;
    const source = await database.filled([
      { _id: 1 as never, a: 1 },
      { _id: 2 as never, a: 2 },
      { _id: 3 as never, a: 3 },
    ]);
    await db.createCollection('large', { viewOn: source.collectionName, pipeline: [{ $match: { a: { $gt: 1 } } }] });
    await db.createCollection('doubled', { viewOn: 'large', pipeline: [{ $set: { b: { $multiply: ['$a', 2] } } }] });
    const view = db.collection('doubled');
    expect(await view.find({ b: { $gt: 0 } }, { sort: { a: -1 }, projection: { _id: 0 } }).toArray()).toEqual([
      { a: 3, b: 6 },
      { a: 2, b: 4 },
    ]);
    expect(await view.find({}, { sort: { a: 1 }, skip: 1, limit: 1 }).toArray()).toMatchObject([{ a: 3 }]);
    expect([await view.countDocuments({ b: 4 }), await view.estimatedDocumentCount()]).toEqual([1, 2]);
    expect((await view.distinct('b')).sort()).toEqual([4, 6]);
    const joined = source.aggregate([
      { $match: { a: { $lt: 3 } } },
      { $lookup: { from: 'doubled', localField: 'a', foreignField: 'a', as: 'seen' } },
      { $sort: { a: 1 } },
    ]);
    expect((await joined.toArray()).map(({ seen }) => seen.length)).toEqual([0, 1]);
    expect(await db.listCollections({ type: 'view' }).toArray()).toHaveLength(2);
    expect(await failure(view.insertOne({}))).toMatchObject({ code: 166 });
    expect(await failure(view.deleteMany({}))).toMatchObject({ code: 166 });
    expect(await failure(view.createIndex({ a: 1 }))).toMatchObject({ code: 166 });
    await db.createCollection('other', { viewOn: 'cycle', pipeline: [] });
    expect(await failure(db.createCollection('cycle', { viewOn: 'other', pipeline: [] }))).toMatchObject({ code: 5 });
    await view.drop();
    expect(await source.countDocuments()).toBe(3);
  });

  it('a collation rules filters, orders, groups and sets, with an index on the field or without', async () => {
    const collection = await database.filled(['ping', 'Ping', 'pong', 'PING'].map((x, n) => ({ x, n })));
    for (const indexed of [false, true]) {
      if (indexed) await collection.createIndex({ x: 1 });
      expect(await collection.countDocuments({ x: 'ping' }, { collation: nocase })).toBe(3);
      expect(await collection.countDocuments({ x: { $in: ['PONG'] } }, { collation: nocase })).toBe(1);
      expect(await collection.countDocuments({ x: { $lte: 'PING' } }, { collation: nocase })).toBe(3);
      expect(await collection.countDocuments({ x: 'ping' })).toBe(1);
      const sorted = await collection.find({}, { collation: nocase, sort: { x: 1, n: -1 } }).toArray();
      expect(sorted.map(({ n }) => n)).toEqual([3, 1, 0, 2]);
    }
    expect(await collection.distinct('x', {}, { collation: nocase })).toHaveLength(2);
    const groups = await collection
      .aggregate([{ $group: { _id: '$x', n: { $sum: 1 } } }], { collation: nocase })
      .toArray();
    expect(groups.map(({ n }) => n).sort()).toEqual([1, 3]);
    expect(await collection.updateMany({ x: 'ping' }, { $set: { hit: true } }, { collation: nocase })).toMatchObject({
      modifiedCount: 3,
    });
    expect(await collection.deleteOne({ x: 'PONG' }, { collation: nocase })).toMatchObject({ deletedCount: 1 });
    // What the update wrote is found by code points again: the index holds the text itself.
    expect(await collection.find({ x: 'PING' }, { hint: { x: 1 } }).toArray()).toHaveLength(1);
    expect(
      await collection.findOneAndUpdate({ x: 'pINg', n: 3 }, { $set: { last: true } }, { collation: nocase }),
    ).toMatchObject({ n: 3 });
  });
});
