import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { failure } from './conformance/database';
import { startEmbeddedMongo, type EmbeddedMongo } from './index';

/** What MongoDB can do and this server cannot is refused with a code, never answered with something else. */
describe('the embedded server refuses', () => {
  let folder: string;
  let server: EmbeddedMongo;
  let client: MongoClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    server = await startEmbeddedMongo({ folder });
    client = await new MongoClient(server.uri, { retryWrites: false }).connect();
    await client.db('test').collection('c').insertOne({ a: 1, text: 'x' });
  });
  afterAll(async () => {
    await client.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('transactions', async () => {
    const session = client.startSession();
    session.startTransaction();
    const error = await failure(client.db('test').collection('c').insertOne({ a: 2 }, { session }));
    // The driver puts its own words around the refusal.
    expect(error.originalError).toMatchObject({
      code: 20,
      message: expect.stringMatching(/^Transaction numbers are only allowed/),
    });
    await session.abortTransaction();
    await session.endSession();
    expect(await client.db('test').collection('c').countDocuments()).toBe(1);
  });

  it('change streams', async () => {
    const stream = client.db('test').collection('c').watch();
    expect(await failure(stream.next())).toMatchObject({ code: 40573 });
    await stream.close();
  });

  it.each<[string, Document, number]>([
    ['text search', { find: 'c', filter: { $text: { $search: 'x' } } }, 27],
    ['JavaScript', { find: 'c', filter: { $where: 'true' } }, 2],
    ['geospatial queries', { find: 'c', filter: { at: { $near: [0, 0] } } }, 2],
    ['collation of strength 4', { find: 'c', filter: {}, collation: { locale: 'nl', strength: 4 } }, 115],
    ['a default collation', { create: 'd', collation: { locale: 'nl' } }, 115],
    ['tailing cursors', { find: 'c', filter: {}, tailable: true }, 2],
    ['places in the store', { find: 'c', filter: {}, showRecordId: true }, 115],
    ['snapshot reads', { find: 'c', filter: {}, readConcern: { level: 'snapshot' } }, 72],
    ['text indexes', { createIndexes: 'c', indexes: [{ key: { text: 'text' }, name: 't' }] }, 67],
    ['geospatial indexes', { createIndexes: 'c', indexes: [{ key: { at: '2dsphere' }, name: 'g' }] }, 67],
    ['wildcard indexes', { createIndexes: 'c', indexes: [{ key: { '$**': 1 }, name: 'w' }] }, 67],
    [
      'index collation',
      { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', collation: { locale: 'nl' } }] },
      67,
    ],
    ['fail points', { configureFailPoint: 'failCommand', mode: 'off' }, 13],
    ['stepping down', { replSetStepDown: 1 }, 59],
    ['time series', { create: 't', timeseries: { timeField: 'at' } }, 115],
    ['$geoNear', { aggregate: 'c', pipeline: [{ $geoNear: {} }], cursor: {} }, 115],
    ['mapReduce', { mapReduce: 'c', map: 'x', reduce: 'y', out: { inline: 1 } }, 59],
  ])('%s', async (_what, command, code) => {
    expect(await failure(client.db('test').command(command))).toMatchObject({ code });
  });

  it('a quorum of more than one: the write is done, and its answer says that the quorum is not', async () => {
    const insert = (w: number | string): Promise<Document> =>
      failure(client.db('test').command({ insert: 'q', documents: [{}], writeConcern: { w } }));
    expect(await insert(2)).toMatchObject({ result: { ok: 1, n: 1, writeConcernError: { code: 100 } } });
    expect(await insert('zone')).toMatchObject({ result: { ok: 1, n: 1, writeConcernError: { code: 79 } } });
    expect(await client.db('test').collection('q').countDocuments()).toBe(2);
  });
});
