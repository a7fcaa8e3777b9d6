import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Collection, type CommandStartedEvent, type Document } from 'mongodb';
import { failure } from '../conformance/database';
import { startEmbeddedMongo, type EmbeddedMongo } from '../index';

/** The driver against a set of one that fails as sets do. */
describe('a replica set of one', () => {
  let folder: string;
  let server: EmbeddedMongo;
  let client: MongoClient;
  let collection: Collection;

  const start = async (options: { failEvery?: number } = {}): Promise<void> => {
    server = await startEmbeddedMongo({ folder, testCommands: true, ...options });
    client = await new MongoClient(server.uri, { monitorCommands: true }).connect();
    collection = client.db('test').collection('c');
  };
  const failCommand = (data: Document, times = 1): Promise<Document> =>
    client.db('admin').command({ configureFailPoint: 'failCommand', mode: { times }, data });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
  });
  afterEach(async () => {
    await client.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('says so, by the address that the client reached, and gives cluster and operation time that grow', async () => {
    await start();
    const hello = await client.db('admin').command({ hello: 1 });
    const { host } = new URL(server.uri);
    expect(hello).toMatchObject({
      isWritablePrimary: true,
      setName: 'embedded',
      primary: host,
      me: host,
      hosts: [host],
    });
    expect(hello).toMatchObject({ logicalSessionTimeoutMinutes: 30, topologyVersion: { counter: expect.anything() } });
    const before = (await client.db('test').command({ ping: 1 })).operationTime;
    await collection.insertOne({});
    const { operationTime, $clusterTime } = await client.db('test').command({ ping: 1 });
    expect(operationTime.greaterThan(before)).toBe(true);
    expect($clusterTime.clusterTime.equals(operationTime)).toBe(true);
    expect(await client.db('admin').command({ replSetGetStatus: 1 })).toMatchObject({ set: 'embedded', myState: 1 });
  });

  it.each(['', '?directConnection=true', '?replicaSet=embedded'])(
    'takes clients that connect with "%s"',
    async (query) => {
      await start();
      const other = new MongoClient(`mongodb://${new URL(server.uri).host}/${query}`);
      await other.db('test').collection('c').insertOne({ query });
      expect(await other.db('test').collection('c').countDocuments({ query })).toBe(1);
      await other.close();
    },
  );

  it('logical sessions are started, listed and ended; with a session go its cursors', async () => {
    await start();
    await collection.insertMany(Array.from({ length: 10 }, (_, n) => ({ n })));
    const { id, timeoutMinutes } = await client.db('admin').command({ startSession: 1 });
    expect(timeoutMinutes).toBe(30);
    const listed = await client
      .db('admin')
      .aggregate([{ $listLocalSessions: {} }])
      .toArray();
    expect(listed.some((each) => each._id.id.equals(id.id))).toBe(true);
    const session = client.startSession();
    const cursor = collection.find({}, { session, batchSize: 2 });
    await cursor.next();
    await client.db('admin').command({ killSessions: [session.id] });
    expect(await failure(cursor.toArray())).toMatchObject({ code: 43 });
    await session.endSession();
  });

  it.each([
    ['the connection closes', { closeConnection: true }],
    ['the primary steps down', { errorCode: 10107 }],
    ['an election interrupts the write', { errorCode: 11602 }],
    ['the server shuts down', { errorCode: 11600 }],
  ])('a write is sent again when %s, and applied once', async (_what, data) => {
    await start();
    await collection.insertOne({ _id: 'x' as never, n: 0 });
    const sent: CommandStartedEvent[] = [];
    client.on('commandStarted', (event) => event.commandName === 'update' && sent.push(event));
    await failCommand({ failCommands: ['update'], ...data });
    expect(await collection.updateOne({ _id: 'x' as never }, { $inc: { n: 1 } })).toMatchObject({ modifiedCount: 1 });
    expect(sent).toHaveLength(2);
    expect(await collection.findOne({ _id: 'x' as never })).toMatchObject({ n: 1 });
  });

  it('an answer that is lost after the commit is given again', async () => {
    await start();
    await client.db('admin').command({ configureFailPoint: 'onPrimaryTransactionalWrite', mode: { times: 1 } });
    const counter = await collection.findOneAndUpdate(
      { n: 0 },
      { $inc: { n: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
    expect(counter).toMatchObject({ n: 1 });
    expect(await collection.find().toArray()).toMatchObject([{ n: 1 }]);
  });

  it('a majority that times out is an error of a write that was done', async () => {
    await start();
    await failCommand({
      failCommands: ['insert'],
      writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
    });
    expect(await failure(collection.insertOne({ n: 1 }))).toMatchObject({ code: 64 });
    expect(await collection.countDocuments()).toBe(1);
  });

  it('only the clients of one application fail, and only as long as they are told to wait', async () => {
    await start();
    await failCommand({ failCommands: ['ping'], errorCode: 8, appName: 'other' });
    await client.db('admin').command({ ping: 1 });
    await failCommand({ failCommands: ['ping'], blockConnection: true, blockTimeMS: 200 });
    const started = performance.now();
    await client.db('admin').command({ ping: 1 });
    expect(performance.now() - started).toBeGreaterThan(190);
  });

  it('a driver goes on writing through a step down', async () => {
    await start();
    let written = 0;
    const writing = (async () => {
      for (let i = 0; i < 200; i++) written += (await collection.insertOne({ i })).acknowledged ? 1 : 0;
    })();
    await client.db('admin').command({ replSetStepDown: 1 });
    await writing;
    expect(written).toBe(200);
    expect((await collection.distinct('i')).length).toBe(200);
    expect(await collection.countDocuments()).toBe(200);
  });

  it('with every third command failing a driver still counts right', async () => {
    await start({ failEvery: 3 });
    await Promise.all(
      Array.from({ length: 60 }, () =>
        collection.updateOne({ _id: 'f' as never }, { $inc: { n: 1 } }, { upsert: true }),
      ),
    );
    expect(await collection.findOne({ _id: 'f' as never })).toMatchObject({ n: 60 });
    expect(await client.db('test').command({ serverStatus: 1 })).toMatchObject({ ok: 1 });
  });
});
