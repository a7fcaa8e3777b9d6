import { Binary, Double, UUID, type Document } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

describe('findAndModify', () => {
  it('has the variables of let in its filter, its update and its projection', async () => {
    const collection = await database.filled([{ _id: 1 as never, n: 1 }, { _id: 2 as never, n: 2 }]); // prettier-ignore
    const found = await collection.findOneAndUpdate(
      { $expr: { $eq: ['$n', '$$wanted'] } },
      [{ $set: { n: { $add: ['$n', '$$by'] } } }],
      { let: { wanted: 2, by: 5 }, returnDocument: 'after', projection: { n: 1, seen: '$$wanted' } },
    );
    expect(found).toEqual({ _id: 2, n: 7, seen: 2 });
    const removed = await collection.findOneAndDelete({ $expr: { $eq: ['$n', '$$wanted'] } }, { let: { wanted: 7 } });
    expect(removed).toEqual({ _id: 2, n: 7 });
    expect(await collection.distinct('_id')).toEqual([1]);
  });
});

describe('an update of one document', () => {
  const documents = [{ _id: 1, g: 'a', n: 2 }, { _id: 2, g: 'a', n: 9 }, { _id: 3, g: 'b', n: 1 }]; // prettier-ignore

  it('takes the first in the order of sort', async () => {
    const collection = await database.filled(documents);
    await collection.updateOne({ g: 'a' }, { $set: { hit: true } }, { sort: { n: -1 } });
    expect(await collection.distinct('_id', { hit: true })).toEqual([2]);
    await collection.replaceOne({}, { replaced: true }, { sort: { n: 1 } });
    expect(await collection.distinct('_id', { replaced: true })).toEqual([3]);
  });

  it('has no order when it is of many', async () => {
    const update = { q: {}, u: { $set: { a: 1 } }, multi: true, sort: { n: 1 } };
    const reply = await database.db.command({ update: 'c', updates: [update] });
    expect(reply.writeErrors).toMatchObject([{ code: 9, errmsg: 'Cannot specify sort with multi=true' }]);
  });
});

describe('a duplicate key', () => {
  it('of an array is the item that is there already', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ tags: 1, g: 1 }, { unique: true });
    await collection.insertOne({ tags: ['a', 'b'], g: 1 });
    const error = await failure(collection.insertOne({ tags: ['x', 'b'], g: 1 }));
    expect(error).toMatchObject({ code: 11000, keyPattern: { tags: 1, g: 1 }, keyValue: { tags: 'b', g: 1 } });
    expect(error.message).toMatch(/ index: tags_1_g_1 dup key: \{ tags: "b", g: 1 \}$/);
  });

  it('below an array, too', async () => {
    const collection = await database.filled([]);
    await collection.createIndex({ 'lines.sku': 1 }, { unique: true });
    await collection.insertOne({ lines: [{ sku: 'a' }, { sku: 'b' }] });
    const error = await failure(collection.insertOne({ lines: [{ sku: 'z' }, { sku: 'b' }] }));
    expect(error).toMatchObject({ keyValue: { 'lines.sku': 'b' } });
    expect(error.message).toMatch(/dup key: \{ lines\.sku: "b" \}$/);
  });

  it.each<[unknown, string]>([
    [1, '1'],
    [new Double(1), '1.0'],
    [1.5, '1.5'],
    ['x', '"x"'],
    [{ a: 1 }, '{ a: 1 }'],
    [new UUID('00112233-4455-6677-8899-aabbccddeeff'), 'UUID("00112233-4455-6677-8899-aabbccddeeff")'],
    [new Binary(Buffer.from([1, 0xab]), 0), 'BinData(0, 01AB)'],
  ])('%p is printed as mongod prints it', async (_id, shown) => {
    const collection = await database.filled([{ _id: _id as never }]);
    const error = await failure(collection.insertOne({ _id: _id as never }));
    expect(error.message).toMatch(
      new RegExp(`index: _id_ dup key: \\{ _id: ${shown.replace(/[.(){}]/g, '\\$&')} \\}$`),
    );
  });
});

describe('an index that is made unique', () => {
  const collMod = (name: string, change: Document): Promise<Document> =>
    database.db.command({ collMod: name, index: { name: 'a_1', ...change } });

  it('takes no new duplicates, then none at all', async () => {
    const collection = await database.filled([{ _id: 1 as never, a: 1 }, { _id: 2 as never, a: 1 }]); // prettier-ignore
    const name = collection.collectionName;
    await collection.createIndex({ a: 1 });
    expect(await failure(collMod(name, { unique: true }))).toMatchObject({ code: 72 });
    expect(await collMod(name, { prepareUnique: true })).toMatchObject({ ok: 1, prepareUnique_new: true });
    expect((await collection.listIndexes().toArray())[1]).toMatchObject({ prepareUnique: true });
    expect(await failure(collection.insertOne({ a: 1 }))).toMatchObject({ code: 11000, keyValue: { a: 1 } });
    await collection.insertOne({ _id: 3 as never, a: 2 });
    expect(await failure(collection.updateOne({ _id: 3 as never }, { $set: { a: 1 } }))).toMatchObject({ code: 11000 });
    await collection.updateOne({ _id: 1 as never }, { $set: { b: 1 } }); // the key stays, so that is no new duplicate
    const error = await failure(collMod(name, { unique: true }));
    expect(error).toMatchObject({ code: 359, codeName: 'CannotConvertIndexToUnique' });
    expect(error.errorResponse).toMatchObject({ violations: [{ ids: [1, 2] }] });
    await collection.deleteOne({ _id: 2 as never });
    expect(await collMod(name, { unique: true })).toMatchObject({ unique_new: true });
    const [, index] = await collection.listIndexes().toArray();
    expect(index).toMatchObject({ unique: true });
    expect(index).not.toHaveProperty('prepareUnique');
    expect(await failure(collection.insertOne({ a: 1 }))).toMatchObject({ code: 11000 });
    expect(await collection.distinct('_id', { a: { $gte: 0 } })).toEqual([1, 3]);
  });
});
