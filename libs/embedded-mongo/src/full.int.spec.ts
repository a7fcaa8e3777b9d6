import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Collection } from 'mongodb';
import { failure } from './conformance/database';
import { buildChild, ChildServer } from './testing/child-server';

describe('a disk that is full', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-full-'));
    program = await buildChild(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('refuses writes whole, still reads, writes again once there is room, and has everything acknowledged afterwards', async () => {
    const data = join(folder, 'data');
    const server = await ChildServer.start(program, data, { maxFileKiB: 1024 });
    const client = await new MongoClient(server.uri).connect();
    const rows = client.db('test').collection('rows');
    await rows.createIndex({ n: 1 });
    let written = 0;
    const insert = (): Promise<unknown> => rows.insertMany([0, 1].map(() => ({ n: written, text: 'x'.repeat(9000) })));
    const fill = async (): Promise<void> => {
      for (; written < 200; written++) await insert();
    };
    expect(await failure(fill())).toMatchObject({ code: 8 });
    expect(written).toBeGreaterThan(10);
    const rivals = await Promise.allSettled([insert(), insert(), insert()]);
    expect(rivals.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await isWhole(rows, written * 2);
    server.freeDisk();
    for (let more = 0; more < 20; more++, written++) await insert();
    await isWhole(rows, written * 2);
    expect(await rows.db.command({ validate: 'rows' })).toMatchObject({ valid: true });
    await client.close();
    await server.kill();

    const roomy = await ChildServer.start(program, data);
    const again = await new MongoClient(roomy.uri).connect();
    const same = again.db('test').collection('rows');
    await isWhole(same, written * 2);
    await same.insertOne({ n: -1 });
    await isWhole(same, written * 2 + 1);
    await again.close();
    await roomy.kill();
  });
});

async function isWhole(rows: Collection, documents: number): Promise<void> {
  expect(await rows.find().hint({ $natural: 1 }).toArray()).toHaveLength(documents);
  expect(await rows.find().hint({ n: 1 }).toArray()).toHaveLength(documents);
  expect(await rows.estimatedDocumentCount()).toBe(documents);
}
