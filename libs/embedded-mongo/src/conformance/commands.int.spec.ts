import { failure, useDatabase } from './database';

const database = useDatabase();

describe('the server', () => {
  it('answers hello and ping', async () => {
    const hello = await database.db.command({ hello: 1 });
    expect(hello).toMatchObject({ isWritablePrimary: true, maxBsonObjectSize: 16 * 1024 * 1024, ok: 1 });
    expect(await database.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
    expect((await database.db.command({ buildInfo: 1 })).version).toMatch(/^\d+\.\d+\.\d+/);
    expect(await database.db.command({ connectionStatus: 1 })).toMatchObject({ authInfo: expect.anything() });
  });

  it('does not know a command that is none', async () => {
    expect(await failure(database.db.command({ unheardOf: 1 }))).toMatchObject({
      code: 59,
      codeName: 'CommandNotFound',
    });
  });

  it('lists databases and collections', async () => {
    const collection = await database.filled([{ a: 1 }]);
    const { databases } = await database.client.db('admin').command({ listDatabases: 1, nameOnly: true });
    expect(databases).toContainEqual({ name: database.db.databaseName });
    const [listed] = await database.db.listCollections({ name: collection.collectionName }).toArray();
    expect(listed).toMatchObject({
      name: collection.collectionName,
      type: 'collection',
      options: {},
      idIndex: { key: { _id: 1 } },
    });
  });
});

describe('collections', () => {
  it('are created once', async () => {
    await database.db.createCollection('made');
    await database.db.createCollection('made'); // the same again is nothing
    expect(await database.db.listCollections({ name: 'made' }).toArray()).toHaveLength(1);
  });

  it.each(['', '$x', 'a$b', 'a\0b', '.a'])('cannot be called %j', async (name) => {
    expect(await failure(database.db.command({ create: name }))).toMatchObject({ code: 73 });
  });

  it('are dropped with what is in them', async () => {
    const collection = await database.filled([{ a: 1 }]);
    await collection.createIndex({ a: 1 });
    await collection.drop();
    expect(await collection.find().toArray()).toEqual([]);
    await collection.insertOne({ a: 2 });
    expect(await collection.listIndexes().toArray()).toHaveLength(1);
    expect(await collection.countDocuments({ a: { $gte: 0 } })).toBe(1);
  });

  it('are renamed', async () => {
    const collection = await database.filled([{ a: 1 }]);
    const other = await database.filled([{ a: 2 }]);
    expect(await failure(collection.rename(other.collectionName))).toMatchObject({ code: 48 });
    await collection.rename(other.collectionName, { dropTarget: true });
    expect(await other.distinct('a')).toEqual([1]);
    expect(await failure(collection.rename('elsewhere'))).toMatchObject({ code: 26 });
  });

  it('have the time of a TTL index changed', async () => {
    const collection = await database.filled([{ at: new Date() }]);
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const index = { keyPattern: { at: 1 }, expireAfterSeconds: 120 };
    const reply = await database.db.command({ collMod: collection.collectionName, index });
    expect(reply).toMatchObject({ expireAfterSeconds_old: 60, expireAfterSeconds_new: 120 });
    expect((await collection.listIndexes().toArray())[1]).toMatchObject({ expireAfterSeconds: 120 });
    expect(await failure(database.db.command({ collMod: 'nowhere', index }))).toMatchObject({ code: 26 });
  });

  it('are gone with their database', async () => {
    const other = database.client.db(`${database.db.databaseName}-2`);
    await other.collection('c').insertOne({ a: 1 });
    await other.dropDatabase();
    expect(await other.collection('c').findOne({})).toBeNull();
    expect(await other.listCollections().toArray()).toEqual([]);
  });
});

describe('validation', () => {
  const validator = {
    $jsonSchema: {
      bsonType: 'object',
      required: ['name', 'n'],
      properties: {
        name: { bsonType: 'string', minLength: 2 },
        n: { bsonType: ['int', 'long'], minimum: 0 },
        tags: { bsonType: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
      },
    },
  };

  it('refuses what does not fit, in inserts and updates', async () => {
    const collection = await database.db.createCollection('validated', { validator });
    await collection.insertOne({ name: 'ok', n: 1, tags: ['a', 'b'] });
    for (const bad of [
      { name: 'ok' },
      { name: 'x', n: 1 },
      { name: 'ok', n: -1 },
      { name: 'ok', n: 1, tags: ['c'] },
      { name: 'ok', n: 1, tags: ['a', 'a'] },
      { name: 5, n: 1 },
    ]) {
      expect(await failure(collection.insertOne(bad))).toMatchObject({ code: 121 });
    }
    expect(await failure(collection.updateOne({}, { $set: { n: -5 } }))).toMatchObject({ code: 121 });
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({ name: 'ok', n: 1, tags: ['a', 'b'] });
    await collection.insertOne({ name: 'x' }, { bypassDocumentValidation: true });
    await database.db.command({ collMod: 'validated', validator: {} });
    await collection.insertOne({ free: true });
  });

  it('takes a filter for a validator', async () => {
    const collection = await database.db.createCollection('filtered', { validator: { n: { $gt: 0 } } });
    expect(await failure(collection.insertOne({ n: 0 }))).toMatchObject({ code: 121 });
    await collection.insertOne({ n: 1 });
  });
});
