import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Doc } from './bson/value';
import { Engine } from './engine';
import { LocalClient } from './testing/local-client';

describe('documents that go by themselves', () => {
  let folder: string;
  let engine: Engine;
  let client: LocalClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    engine = new Engine(folder, { ttlIntervalMs: 20 });
    client = new LocalClient(engine);
  });
  afterAll(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    for (let i = 0; i < 500; i++) {
      if (await holds()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('it did not come about in 5 s');
  };
  const ids = async (collection: string): Promise<unknown[]> =>
    (await client.find(collection, {})).map(({ _id }) => _id);

  it('expire by the date in a TTL index, the earliest of several; without a date they stay', async () => {
    const index = { key: { at: 1 }, name: 'at', expireAfterSeconds: 60 };
    await client.command({ createIndexes: 'sessions', indexes: [index] });
    const [old, young] = [new Date(Date.now() - 61_000), new Date(Date.now() + 3_600_000)];
    const documents: Doc[] = [
      { _id: 1, at: old },
      { _id: 2, at: young },
      { _id: 3 },
      { _id: 4, at: 'text' },
      { _id: 5, at: [young, old] },
      { _id: 6, at: null },
    ];
    await client.command({ insert: 'sessions', documents });
    await until(async () => (await ids('sessions')).length <= 4);
    expect(await ids('sessions')).toEqual([2, 3, 4, 6]);
  });

  it('expire in more than one piece', async () => {
    await client.command({ createIndexes: 'many', indexes: [{ key: { at: -1 }, name: 'at', expireAfterSeconds: 0 }] });
    const documents = Array.from({ length: 1200 }, (_unused, _id) => ({ _id, at: new Date(_id) }));
    await client.command({ insert: 'many', documents });
    await until(async () => (await client.command({ count: 'many' })).n === 0);
  });

  it('leave nothing behind when their collection is dropped', async () => {
    await client.command({ insert: 'dropped', documents: Array.from({ length: 1200 }, (_unused, _id) => ({ _id })) });
    await client.command({ drop: 'dropped' });
    await until(async () => engine.store.count({ start: Buffer.from([0, 0, 0, 1]), end: Buffer.from([0xff]) }) < 50);
    expect(await ids('sessions')).toEqual([2, 3, 4, 6]);
  });

  it('make room in a capped collection, by number and by size', async () => {
    await client.command({ create: 'log', capped: true, size: 1_000_000, max: 3 });
    for (let _id = 1; _id <= 5; _id++) await client.command({ insert: 'log', documents: [{ _id }] });
    expect(await ids('log')).toEqual([3, 4, 5]);
    await client.command({ create: 'small', capped: true, size: 1000 });
    await client.command({
      insert: 'small',
      documents: Array.from({ length: 20 }, (_unused, _id) => ({ _id, text: 'x'.repeat(100) })),
    });
    const kept = await ids('small');
    expect(kept.at(-1)).toBe(19);
    expect(kept.length).toBeLessThan(10);
  });
});
