import { BSON, Long, type Document } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();
const documents = [{ _id: 1, a: 'x' }, { _id: 2, a: 'y' }]; // prettier-ignore
const bytes = documents.reduce((sum, doc) => sum + BSON.calculateObjectSize(doc), 0);

describe('sizes', () => {
  it('of a collection', async () => {
    const collection = await database.filled(documents);
    await collection.createIndex({ a: 1 });
    const name = collection.collectionName;
    const { db } = database;
    expect(await db.command({ dataSize: `${db.databaseName}.${name}` }, { promoteLongs: true })).toMatchObject({ size: bytes, numObjects: 2 });
    const stats = await db.command({ collStats: name });
    expect(stats).toMatchObject({ ns: `${db.databaseName}.${name}`, count: 2, size: bytes, nindexes: 2, capped: false, scaleFactor: 1 });
    expect(stats.avgObjSize).toBe(Math.trunc(bytes / 2));
    expect(stats.storageSize).toBeGreaterThan(0);
    expect(Object.keys(stats.indexSizes)).toEqual(['_id_', 'a_1']);
    expect(stats.totalIndexSize).toBe(stats.indexSizes._id_ + stats.indexSizes.a_1);
    const [reported] = await collection.aggregate([{ $collStats: { storageStats: {}, count: {} } }]).toArray();
    expect(reported).toMatchObject({ count: 2, storageStats: { size: bytes, count: 2, nindexes: 2 } });
    expect(await failure(db.command({ collStats: name, scale: 0 }))).toMatchObject({ code: 51024 });
  }); // prettier-ignore

  it('of a database', async () => {
    const other = database.client.db(`${database.db.databaseName}-sizes`);
    await other.collection<{ _id: number; a: string }>('c').insertMany(documents);
    const stats = await other.stats();
    expect(stats).toMatchObject({ collections: 1, objects: 2, dataSize: bytes, avgObjSize: bytes / 2, indexes: 1 });
    expect(stats.indexSize).toBeGreaterThan(0);
    const { databases } = await database.client.db('admin').command({ listDatabases: 1 });
    const listed = (databases as Document[]).find(({ name }) => name === other.databaseName);
    expect(Number(listed!.sizeOnDisk)).toBeGreaterThan(0);
    await other.dropDatabase();
  });
});

describe('$indexStats', () => {
  it('says how often each index was used', async () => {
    const collection = await database.filled(documents);
    await collection.createIndex({ a: 1 });
    await collection.find({ a: 'x' }).toArray();
    await collection.find({ a: 'y' }).toArray();
    const stats = await collection.aggregate([{ $indexStats: {} }, { $sort: { name: -1 } }]).toArray();
    expect(stats).toMatchObject([
      { name: 'a_1', key: { a: 1 }, accesses: { since: expect.any(Date) }, spec: { name: 'a_1', key: { a: 1 } } },
      { name: '_id_', key: { _id: 1 } },
    ]);
    expect(Number(stats[0]!.accesses.ops)).toBe(2);
    expect(Number(stats[1]!.accesses.ops)).toBe(0);
  });

  it.each([[[{ $match: {} }, { $indexStats: {} }], 40602], [[{ $indexStats: { a: 1 } }], 28803], [[{ $match: {} }, { $collStats: {} }], 40602], [[{ $collStats: { bogus: 1 } }], 40415]])(
    '%j is refused',
    async (pipeline, code) => {
      const collection = await database.filled(documents);
      expect(await failure(collection.aggregate(pipeline).toArray())).toMatchObject({ code });
    },
  ); // prettier-ignore
});

describe('the server', () => {
  it('counts connections and operations', async () => {
    const admin = database.client.db('admin');
    const before = await admin.command({ serverStatus: 1 }, { promoteLongs: false });
    expect(before.connections.current).toBeGreaterThan(0);
    expect(before.connections.available).toBeGreaterThan(0);
    expect(before.connections.totalCreated).toBeInstanceOf(Long);
    const collection = await database.filled(documents);
    await collection.find().toArray();
    await collection.updateOne({ _id: 1 as never }, { $set: { b: 1 } });
    await collection.deleteOne({ _id: 1 as never });
    const after = await admin.command({ serverStatus: 1 }, { promoteLongs: false });
    const grown = (name: string): number =>
      (after.opcounters[name] as Long).subtract(before.opcounters[name] as Long).toNumber();
    for (const name of ['insert', 'query', 'update', 'delete', 'getmore', 'command'])
      expect(after.opcounters[name]).toBeInstanceOf(Long);
    expect([grown('insert'), grown('query'), grown('update'), grown('delete')]).toEqual([2, 1, 1, 1]);
    expect((after.network.numRequests as Long).toNumber()).toBeGreaterThan(
      (before.network.numRequests as Long).toNumber(),
    );
  });

  it('says what it runs on', async () => {
    const info = await database.client.db('admin').command({ hostInfo: 1 });
    expect(info).toMatchObject({ system: { currentTime: expect.any(Date), cpuAddrSize: 64 }, os: { type: expect.any(String) } });
    expect(info.system.numCores).toBeGreaterThan(0);
    expect(info.system.hostname).not.toBe('');
    expect(await failure(database.db.command({ hostInfo: 1 }))).toMatchObject({ code: 13 });
  }); // prettier-ignore

  it('keeps the last lines of its log', async () => {
    const admin = database.client.db('admin');
    expect((await admin.command({ getLog: '*' })).names).toEqual(expect.arrayContaining(['global', 'startupWarnings']));
    const { log, totalLinesWritten } = await admin.command({ getLog: 'startupWarnings' });
    expect(log).toHaveLength(totalLinesWritten);
    expect(await admin.command({ getLog: 'global' })).toMatchObject({ log: expect.any(Array) });
    expect(await failure(admin.command({ getLog: 1 }))).toMatchObject({ code: 14 });
  });
});

describe('validate', () => {
  it('finds nothing wrong where nothing is', async () => {
    const collection = await database.filled([{ _id: 1 as never, a: [1, 2, 3] }, { _id: 2 as never, a: 4 }]); // prettier-ignore
    await collection.createIndex({ a: 1 });
    expect(await database.db.command({ validate: collection.collectionName, full: true })).toMatchObject({
      ns: `${database.db.databaseName}.${collection.collectionName}`,
      nrecords: 2,
      nIndexes: 2,
      keysPerIndex: { _id_: 2, a_1: 4 },
      valid: true,
      errors: [],
    });
    expect(await failure(database.db.command({ validate: 'nowhere' }))).toMatchObject({ code: 26 });
  });
});
