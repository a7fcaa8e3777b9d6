import { Decimal128, Double, Int32, Long, ObjectId, type Document, type UpdateFilter } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

type Update = Document | Document[];

/** One document, an update, and what the document is then. */
function updates(what: string, cases: [Document, Update, Document][]): void {
  describe(what, () => {
    it.each(cases)('%j %j', async (before, update, after) => {
      const collection = await database.filled([{ _id: 1, ...before } as never]);
      const result = await collection.updateOne({ _id: 1 as never }, update as UpdateFilter<Document>);
      expect(await collection.findOne({})).toEqual({ _id: 1, ...after });
      const changes = JSON.stringify(before) !== JSON.stringify(after);
      expect(result).toMatchObject({ matchedCount: 1, modifiedCount: changes ? 1 : 0 });
    });
  });
}

updates('fields', [
  [{ a: 1 }, { $set: { b: 2, 'c.d': 3 } }, { a: 1, b: 2, c: { d: 3 } }],
  [{ a: 1 }, { $set: { a: 1 } }, { a: 1 }],
  [{ a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  [{ a: 1, b: 2 }, { $unset: { a: '', c: '' } }, { b: 2 }],
  [{ a: [1, 2] }, { $unset: { 'a.0': '' } }, { a: [null, 2] }],
  [{ a: 1, b: 2 }, { $rename: { a: 'c', missing: 'd' } }, { b: 2, c: 1 }],
  [{ a: { b: 1 } }, { $rename: { 'a.b': 'x.y' } }, { a: {}, x: { y: 1 } }],
  [{ a: 5 }, { $min: { a: 3, b: 1 } }, { a: 3, b: 1 }],
  [{ a: 5 }, { $max: { a: 3 } }, { a: 5 }],
  [{ a: new Date(5) }, { $max: { a: new Date(9) } }, { a: new Date(9) }],
  [{ a: 1 }, { $inc: { a: 2, b: -1 }, $mul: { c: 3 } }, { a: 3, b: -1, c: 0 }],
  [{ a: 6 }, { $bit: { a: { and: 3, or: 8 } } }, { a: 10 }],
  [{ a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1 }],
  [{ z: 1 }, { $set: { b: 1, a: 1 } }, { z: 1, a: 1, b: 1 }],
]); // prettier-ignore

updates('arrays', [
  [{ a: [1] }, { $push: { a: 2, b: 'x' } }, { a: [1, 2], b: ['x'] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [3, 4], $position: 1 } } }, { a: [1, 3, 4, 2] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  [{ a: [{ s: 3 }, { s: 1 }] }, { $push: { a: { $each: [{ s: 2 }], $sort: { s: 1 }, $slice: 2 } } }, { a: [{ s: 1 }, { s: 2 }] }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2], $sort: -1 } } }, { a: [3, 2, 1] }],
  [{ a: [1, { b: 1 }] }, { $addToSet: { a: { $each: [1, { b: 1 }, 2, 2] } } }, { a: [1, { b: 1 }, 2] }],
  [{ a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }],
  [{ a: [1, 2, 3] }, { $pop: { a: -1 } }, { a: [2, 3] }],
  [{ a: [1, 2, 3, 2] }, { $pull: { a: 2 } }, { a: [1, 3] }],
  [{ a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  [{ a: [{ b: 1, c: 1 }, { b: 1, c: 2 }] }, { $pull: { a: { b: 1, c: { $gt: 1 } } } }, { a: [{ b: 1, c: 1 }] }],
  [{ a: [1, 2, 1, 3] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
  [{ a: [1, 2] }, { $set: { 'a.$[]': 0 } }, { a: [0, 0] }],
  [{ a: [{ n: 1 }, { n: 2 }] }, { $inc: { 'a.$[].n': 10 } }, { a: [{ n: 11 }, { n: 12 }] }],
]); // prettier-ignore

updates('pipelines', [
  [{ a: 1, b: 2 }, [{ $set: { c: { $add: ['$a', '$b'] } } }, { $unset: 'a' }], { b: 2, c: 3 }],
  [{ a: 1 }, [{ $replaceWith: { $mergeObjects: ['$$ROOT', { x: '$a' }] } }], { a: 1, x: 1 }],
  [{ a: [1, 2, 3] }, [{ $set: { a: { $filter: { input: '$a', cond: { $gt: ['$$this', 1] } } } } }], { a: [2, 3] }],
]); // prettier-ignore

describe('the width of a number', () => {
  const int = new Int32(2);
  const long = Long.fromNumber(2);
  const double = new Double(2);
  const decimal = Decimal128.fromString('2');
  it.each<[string, Document, Document, string]>([
    ['int + int', { a: int }, { $inc: { a: int } }, 'int'],
    ['int + int, past int32', { a: new Int32(2147483647) }, { $inc: { a: new Int32(1) } }, 'long'],
    ['int + long', { a: int }, { $inc: { a: long } }, 'long'],
    ['long + int', { a: long }, { $inc: { a: int } }, 'long'],
    ['int + double', { a: int }, { $inc: { a: double } }, 'double'],
    ['double + int', { a: double }, { $inc: { a: int } }, 'double'],
    ['long + decimal', { a: long }, { $inc: { a: decimal } }, 'decimal'],
    ['int × int', { a: int }, { $mul: { a: int } }, 'int'],
    ['missing + long', {}, { $inc: { a: long } }, 'long'],
    ['missing × double', {}, { $mul: { a: double } }, 'double'],
  ])('%s', async (_what, before, update, type) => {
    const collection = await database.filled([before]);
    await collection.updateOne({}, update);
    expect(await collection.countDocuments({ a: { $type: type as never } })).toBe(1);
  });

  it('is kept through updates of other fields', async () => {
    const collection = await database.filled([{ a: double, b: long, c: decimal, d: int }]);
    await collection.updateOne({}, { $set: { e: 1 } });
    const types = { a: { $type: 'double' }, b: { $type: 'long' }, c: { $type: 'decimal' }, d: { $type: 'int' } };
    expect(await collection.countDocuments(types as never)).toBe(1);
  });

  it('adds decimals and 64-bit integers exactly', async () => {
    const collection = await database.filled([
      { _id: 1 as never, big: Long.fromString('9007199254740993'), money: Decimal128.fromString('0.1') },
    ]);
    await collection.updateOne({}, { $inc: { big: 2, money: Decimal128.fromString('0.2') } });
    const doc = (await collection.findOne({}, { promoteLongs: false }))!;
    expect(String(doc.big)).toBe('9007199254740995');
    expect(String(doc.money)).toBe('0.3');
  });
});

describe('items of an array', () => {
  const lines = (): Document => ({
    _id: 1,
    lines: [
      { sku: 'a', n: 1 },
      { sku: 'b', n: 2 },
      { sku: 'a', n: 3 },
    ],
    grid: [[1, 2], [3]],
  });

  it('are found by the query for `$`', async () => {
    const collection = await database.filled([lines() as never]);
    await collection.updateOne({ 'lines.sku': 'b' }, { $set: { 'lines.$.n': 20 } });
    await collection.updateOne({ lines: { $elemMatch: { sku: 'a', n: { $gt: 1 } } } }, { $inc: { 'lines.$.n': 100 } });
    expect((await collection.findOne({}))!.lines.map(({ n }: Document) => n)).toEqual([1, 20, 103]);
  });

  it('are chosen by array filters', async () => {
    const collection = await database.filled([lines() as never]);
    await collection.updateOne(
      {},
      { $inc: { 'lines.$[line].n': 10, 'grid.$[].$[cell]': 1 } },
      { arrayFilters: [{ 'line.sku': 'a', 'line.n': { $lt: 3 } }, { cell: { $gte: 2 } }] },
    );
    const doc = (await collection.findOne({}))!;
    expect(doc.lines.map(({ n }: Document) => n)).toEqual([11, 2, 3]);
    expect(doc.grid).toEqual([[1, 3], [4]]);
  });
});

describe('upsert', () => {
  it('makes a document of the filter and the update', async () => {
    const collection = await database.filled([]);
    const result = await collection.updateOne(
      { a: 1, 'b.c': { $eq: 2 }, d: { $gt: 5 }, $and: [{ e: 3 }] },
      { $set: { f: 4 }, $setOnInsert: { g: 5 }, $inc: { h: 1 } },
      { upsert: true },
    );
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: expect.any(ObjectId) });
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({
      a: 1,
      b: { c: 2 },
      e: 3,
      f: 4,
      g: 5,
      h: 1,
    });
  });

  it('takes _id from the filter, and only that for a replacement', async () => {
    const collection = await database.filled([]);
    await collection.replaceOne({ _id: 7 as never, a: 1 }, { b: 2 }, { upsert: true });
    expect(await collection.find().toArray()).toEqual([{ _id: 7, b: 2 }]);
  });

  it('answers which statement of many inserted', async () => {
    const collection = await database.filled([{ _id: 1 as never }]);
    const reply = await database.db.command({
      update: collection.collectionName,
      updates: [1, 2, 3].map((_id) => ({ q: { _id }, u: { $set: { a: 1 } }, upsert: true })),
    });
    expect(reply).toMatchObject({
      n: 3,
      nModified: 1,
      upserted: [
        { index: 1, _id: 2 },
        { index: 2, _id: 3 },
      ],
    });
  });
});

describe('findOneAnd…', () => {
  it('answers the document before or after', async () => {
    const collection = await database.filled([
      { _id: 1 as never, n: 1 },
      { _id: 2 as never, n: 2 },
    ]);
    const sorted = { sort: { n: -1 } } as const;
    expect(await collection.findOneAndUpdate({}, { $inc: { n: 10 } }, sorted)).toEqual({ _id: 2, n: 2 });
    expect(
      await collection.findOneAndUpdate(
        {},
        { $inc: { n: 10 } },
        { ...sorted, returnDocument: 'after', projection: { n: 1, _id: 0 } },
      ),
    ).toEqual({ n: 22 });
    expect(await collection.findOneAndReplace({ _id: 1 as never }, { m: 1 }, { returnDocument: 'after' })).toEqual({
      _id: 1,
      m: 1,
    });
    expect(await collection.findOneAndDelete({ _id: 1 as never })).toEqual({ _id: 1, m: 1 });
    expect(await collection.findOneAndDelete({ _id: 1 as never })).toBeNull();
  });

  it('upserts', async () => {
    const collection = await database.filled([]);
    const update = { $setOnInsert: { n: 1 } };
    expect(await collection.findOneAndUpdate({ _id: 1 as never }, update, { upsert: true })).toBeNull();
    const result = await collection.findOneAndUpdate({ _id: 2 as never }, update, {
      upsert: true,
      returnDocument: 'after',
      includeResultMetadata: true,
    });
    expect(result).toMatchObject({
      value: { _id: 2, n: 1 },
      lastErrorObject: { n: 1, updatedExisting: false, upserted: 2 },
    });
  });
});

describe('what cannot be updated', () => {
  it.each<[string, Document, Document, number]>([
    ['_id', { a: 1 }, { $set: { _id: 2 } }, 66],
    ['a field of a number', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
    ['two operators on one path', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    ['a path and one below', { a: 1 }, { $set: { a: 1, 'a.b': 1 } }, 40],
    ['text by a number', { a: 'x' }, { $inc: { a: 1 } }, 14],
    ['a number by text', { a: 1 }, { $inc: { a: 'x' } }, 14],
    ['an unknown operator', { a: 1 }, { $foo: { a: 1 } }, 9],
    ['$push to a number', { a: 1 }, { $push: { a: 1 } }, 2],
    ['an empty name', { a: 1 }, { $set: { 'a..b': 1 } }, 56],
    ['`$` without a match in an array', { a: [1] }, { $set: { 'a.$': 2 } }, 2],
    ['past int64', { a: Long.MAX_VALUE }, { $inc: { a: 1 } }, 2],
    ['an unnamed array filter', { a: [1] }, { $set: { 'a.$[x]': 2 } }, 2],
  ])('%s', async (_what, before, update, code) => {
    const collection = await database.filled([{ _id: 1, ...before } as never]);
    expect(await failure(collection.updateOne({}, update))).toMatchObject({ code });
    expect(await collection.findOne({}, { promoteLongs: false })).toEqual({ _id: 1, ...before });
  });

  it('an unused array filter', async () => {
    const collection = await database.filled([{ a: [1] }]);
    expect(await failure(collection.updateOne({}, { $set: { b: 1 } }, { arrayFilters: [{ x: 1 }] }))).toMatchObject({
      code: 9,
    });
  });

  it('a replacement with another _id', async () => {
    const collection = await database.filled([{ _id: 1 as never }]);
    expect(await failure(collection.replaceOne({ _id: 1 as never }, { _id: 2 } as never))).toMatchObject({ code: 66 });
  });
});
