import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Doc } from './bson/value';
import { Engine } from './engine';
import { prefixRange, slotPrefix } from './storage/keys';
import { LocalClient } from './testing/local-client';

/** Index entries were once written without the codes that say what was stored. */
describe('entries of an older version', () => {
  let folder: string;
  let engine: Engine;
  let client: LocalClient;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    engine = new Engine(folder);
    client = new LocalClient(engine);
  });
  afterEach(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([false, true])('answer, and are changed and removed (unique: %p)', async (unique) => {
    await client.command({ insert: 'c', documents: [{ _id: 1, a: 1n }, { _id: 2, a: 2 }, { _id: 3, a: 3 }] }); // prettier-ignore
    await client.command({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', unique }] });
    const { number } = engine.collection('test', 'c')!;
    await engine.writes.run(({ store }) => {
      for (const { key, value } of [...store.entries(prefixRange(slotPrefix(number, 2)))])
        store.put(key, value.subarray(0, unique ? 6 : 0));
    });
    const covered = (): Promise<Doc[]> => client.find('c', { a: { $gte: 0 } }, { projection: { _id: 0, a: 1 } });
    expect(await covered()).toEqual([{ a: 1n }, { a: 2 }, { a: 3 }]);
    const q = (a: number): Doc => ({ q: { a }, u: { $set: { a: BigInt(a) } } });
    await client.command({ update: 'c', updates: [q(2)] });
    await client.command({ delete: 'c', deletes: [{ q: { a: 3 }, limit: 1 }] });
    expect(await covered()).toEqual([{ a: 1n }, { a: 2n }]);
    expect(await client.command({ validate: 'c' })).toMatchObject({ valid: true, keysPerIndex: { a: 2 } });
  });
});
