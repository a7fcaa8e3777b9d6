import {
  Binary,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
  type Document,
} from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

describe('insert', () => {
  it('gives an ObjectId to a document without _id, and puts _id first', async () => {
    const collection = await database.filled([]);
    await collection.insertOne({ a: 1 }, { forceServerObjectId: true });
    const [doc] = await collection.find().toArray();
    expect(doc!._id).toBeInstanceOf(ObjectId);
    expect(Object.keys(doc!)).toEqual(['_id', 'a']);
  });

  it('stops an ordered insert at the first failure, and says which and why', async () => {
    const collection = await database.filled([{ _id: 1 as never }]);
    const documents = [{ _id: 2 }, { _id: 1 }, { _id: 3 }] as never[];
    const error = await failure(collection.insertMany(documents));
    expect(error).toMatchObject({ code: 11000, insertedCount: 1 });
    expect(error.writeErrors).toHaveLength(1);
    expect(error.writeErrors[0]).toMatchObject({ index: 1, code: 11000 });
    expect(await ids(collection.find())).toEqual([1, 2]);
  });

  it('goes on after failures when unordered', async () => {
    const collection = await database.filled([{ _id: 1 as never }]);
    const documents = [{ _id: 1 }, { _id: 2 }, { _id: 2 }, { _id: 3 }] as never[];
    const error = await failure(collection.insertMany(documents, { ordered: false }));
    expect(error.writeErrors.map(({ index }: Document) => index)).toEqual([0, 2]);
    expect(await ids(collection.find())).toEqual([1, 2, 3]);
  });

  it('names the index, its keys and the value of a duplicate', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ org: 1, number: 1 }, { unique: true });
    await collection.insertOne({ org: 'a', number: 7 });
    const error = await failure(collection.insertOne({ org: 'a', number: 7 }));
    expect(error).toMatchObject({ code: 11000, keyPattern: { org: 1, number: 1 }, keyValue: { org: 'a', number: 7 } });
    expect(error.message).toMatch(
      /E11000 duplicate key error collection: .* index: org_1_number_1 dup key: \{ org: "a", number: 7 \}/,
    );
  });

  it.each([
    ['an array', [1], 53],
    ['a regular expression', /a/, 53],
  ])('refuses %s as _id', async (_what, _id, code) => {
    const collection = await database.filled([]);
    expect(await failure(collection.insertOne({ _id: _id as never }))).toMatchObject({ code });
  });

  it('keeps every type as it came', async () => {
    const doc = {
      int: new Int32(1), long: Long.fromNumber(1), double: new Double(1), half: new Double(0.5), decimal: Decimal128.fromString('1.10'),
      text: 'é\u{1f600}', bytes: new Binary(Buffer.from([1, 2]), 0), uuid: new UUID(), id: new ObjectId(), date: new Date(-1),
      none: null, yes: true, list: [1, [2], { three: 3 }], nested: { b: 1, a: 2 }, time: new Timestamp({ t: 1, i: 2 }), min: new MinKey(), max: new MaxKey(),
    }; // prettier-ignore
    const collection = await database.filled([doc]);
    const [stored] = await collection.find({}, { promoteValues: false }).toArray();
    expect(stored!.int).toEqual(new Int32(1));
    expect(stored!.long).toEqual(Long.fromNumber(1));
    expect(stored!.double).toEqual(new Double(1));
    expect(stored!.decimal).toEqual(doc.decimal);
    const promoted = (await collection.findOne({}))!;
    expect(promoted).toMatchObject({
      text: doc.text,
      date: doc.date,
      none: null,
      yes: true,
      list: doc.list,
      time: doc.time,
      id: doc.id,
    });
    expect(Object.keys(promoted.nested as object)).toEqual(['b', 'a']);
    expect((promoted.uuid as UUID).toString()).toBe(doc.uuid.toString());
  });

  it('refuses a document above 16 MiB', async () => {
    const collection = await database.filled([]);
    const big = 'x'.repeat(9 * 1024 * 1024);
    await collection.insertOne({ _id: 1 as never, big });
    expect(await failure(collection.updateOne({}, [{ $set: { more: '$big' } }]))).toMatchObject({
      code: expect.anything(),
    });
    expect(Object.keys((await collection.findOne({}))!)).toEqual(['_id', 'big']);
  });
});

describe('find', () => {
  it('comes in batches, and a killed cursor is gone', async () => {
    const collection = await database.filled(Array.from({ length: 250 }, (_unused, i) => ({ i })));
    const reply = await database.db.command({ find: collection.collectionName, batchSize: 100, sort: { i: 1 } });
    expect(reply.cursor.firstBatch).toHaveLength(100);
    const getMore = { getMore: reply.cursor.id, collection: collection.collectionName, batchSize: 120 };
    const more = await database.db.command(getMore);
    expect(more.cursor.nextBatch).toHaveLength(120);
    expect(more.cursor.nextBatch[0].i).toBe(100);
    await database.db.command({ killCursors: collection.collectionName, cursors: [reply.cursor.id] });
    expect(await failure(database.db.command(getMore))).toMatchObject({ code: 43 });
  });

  it('ends its cursor with the last batch', async () => {
    const collection = await database.filled([{ a: 1 }, { a: 2 }]);
    const reply = await database.db.command({ find: collection.collectionName });
    expect(reply.cursor).toMatchObject({
      id: 0,
      ns: `${database.db.databaseName}.${collection.collectionName}`,
    });
  });

  it('sorts, skips and limits, a cursor over many batches too', async () => {
    const collection = await database.filled(Array.from({ length: 500 }, (_unused, i) => ({ i, odd: i % 2 })));
    const found = await collection.find().sort({ odd: -1, i: 1 }).skip(10).limit(300).batchSize(7).toArray();
    const numbers = found.map(({ i }) => i as number);
    expect(numbers).toHaveLength(300);
    expect(numbers.slice(0, 3)).toEqual([21, 23, 25]);
    expect(numbers.slice(239, 242)).toEqual([499, 0, 2]);
  });

  it('finds nothing in a collection that is not there', async () => {
    const missing = database.db.collection('missing');
    expect(await missing.find().toArray()).toEqual([]);
    expect(await missing.countDocuments()).toBe(0);
    expect(await missing.distinct('a')).toEqual([]);
    expect(await missing.deleteMany({})).toMatchObject({ deletedCount: 0 });
  });
});

describe('count, distinct and delete', () => {
  it('closes a cursor with the last document that was asked for', async () => {
    const collection = await database.filled(Array.from({ length: 300 }, (_, i) => ({ i })));
    const { db } = database;
    const find = (options: object): Promise<Document> => db.command({ find: collection.collectionName, ...options });
    for (const options of [{ limit: 101 }, { limit: 7, batchSize: 7 }, { limit: 150, batchSize: 200 }])
      expect(String((await find(options))['cursor'].id)).toBe('0');
    const { cursor } = await find({ limit: 10, batchSize: 6 });
    expect(String(cursor.id)).not.toBe('0');
    const rest = await db.command({ getMore: cursor.id, collection: collection.collectionName, batchSize: 4 });
    expect(String(rest['cursor'].id)).toBe('0');
    expect(rest['cursor'].nextBatch).toHaveLength(4);
  });

  it('counts with filter, skip and limit', async () => {
    const collection = await database.filled([1, 2, 3, 4].map((a) => ({ a })));
    expect(await collection.countDocuments({ a: { $gt: 1 } })).toBe(3);
    expect(await collection.countDocuments({ a: { $gt: 1 } }, { skip: 1, limit: 1 })).toBe(1);
    expect(await collection.estimatedDocumentCount()).toBe(4);
  });

  it('has distinct values once whatever their width, those in arrays too', async () => {
    const collection = await database.filled([
      { a: 1 },
      { a: Long.fromNumber(1) },
      { a: [1, 'x'] },
      { a: { b: 1 } },
      { a: null },
      {},
    ]);
    expect(await collection.distinct('a')).toEqual(expect.arrayContaining([1, 'x', { b: 1 }, null]));
    expect(await collection.distinct('a')).toHaveLength(4);
    expect(await collection.distinct('a.b')).toEqual([1]);
  });

  it('deletes one or all', async () => {
    const collection = await database.filled([1, 1, 2].map((a) => ({ a })));
    expect(await collection.deleteOne({ a: 1 })).toMatchObject({ deletedCount: 1 });
    expect(await collection.deleteMany({ a: { $lt: 3 } })).toMatchObject({ deletedCount: 2 });
  });

  it('does a mixed bulk in order and reports every part', async () => {
    const collection = await database.filled([{ _id: 1 as never, n: 1 }]);
    const result = await collection.bulkWrite([
      { insertOne: { document: { _id: 2 as never, n: 2 } } },
      { updateMany: { filter: {}, update: { $inc: { n: 10 } } } },
      { replaceOne: { filter: { _id: 9 as never }, replacement: { n: 0 }, upsert: true } },
      { deleteOne: { filter: { n: 11 } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 2,
      modifiedCount: 2,
      upsertedCount: 1,
      deletedCount: 1,
      upsertedIds: { 2: 9 },
    });
    expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 2, n: 12 },
      { _id: 9, n: 0 },
    ]);
  });
});

const ids = async (cursor: { toArray: () => Promise<Document[]> }): Promise<unknown[]> =>
  (await cursor.toArray()).map(({ _id }) => _id as unknown);
