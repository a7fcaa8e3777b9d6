import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from './engine';
import { checksumKey, checksumSlot, documentKey, prefixRange, slotPrefix } from './storage/keys';
import { LocalClient } from './testing/local-client';

/** validate is of use only when it sees damage, so it is done here, below the writer that keeps indexes in step. */
describe('validate', () => {
  let folder: string;
  let engine: Engine;
  let client: LocalClient;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    engine = new Engine(folder);
    client = new LocalClient(engine);
    await client.command({ insert: 'c', documents: [{ _id: 1, a: 1 }, { _id: 2, a: 2 }] }); // prettier-ignore
    await client.command({
      createIndexes: 'c',
      indexes: [{ key: { a: 1 }, name: 'plain' }, { key: { a: 1 }, name: 'unique', unique: true }], // prettier-ignore
    });
    expect(await client.command({ validate: 'c' })).toMatchObject({ valid: true, nrecords: 2 });
  });
  afterEach(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  const number = (): number => engine.collection('test', 'c')!.number;
  const keysOf = (slot: number): Buffer[] => [...engine.store.keys(prefixRange(slotPrefix(number(), slot)))];

  it.each([2, 3])('sees an index entry that is missing (index in slot %i)', async (slot) => {
    const [first] = keysOf(slot);
    await engine.writes.run(({ store }) => store.remove(first!));
    const name = slot === 2 ? 'plain' : 'unique';
    expect(await client.command({ validate: 'c' })).toMatchObject({
      valid: false,
      indexDetails: { [name]: { valid: false } },
      missingIndexEntries: [{ indexName: name, idKey: 1 }],
      errors: ['Detected 1 missing index entries.'],
    });
  });

  it('sees index entries of documents that are gone', async () => {
    await engine.writes.run(({ store }) => store.remove(documentKey(number(), 2)));
    const reply = await client.command({ validate: 'c' });
    expect(reply).toMatchObject({ valid: false, nrecords: 1, errors: ['Detected 3 extra index entries.'] });
    expect(reply.extraIndexEntries).toHaveLength(3);
  });

  it('sees a bit that has flipped where no index looks', async () => {
    const key = documentKey(number(), 2);
    await client.command({ update: 'c', updates: [{ q: { _id: 2 }, u: { $set: { text: 'a text' } } }] });
    expect(await client.command({ validate: 'c' })).toMatchObject({ valid: true });
    const bytes = Buffer.from(engine.store.get(key)!);
    bytes[bytes.length - 4]! ^= 1;
    await engine.writes.run(({ store }) => store.put(key, bytes));
    expect(await client.command({ validate: 'c' })).toMatchObject({ valid: false, corruptRecords: [2n] });
  });

  it('says how many documents were written before there were checksums', async () => {
    await engine.writes.run(({ store }) => store.remove(checksumKey(number(), 2)));
    const reply = await client.command({ validate: 'c' });
    expect(reply).toMatchObject({ valid: true, warnings: [expect.stringMatching(/^1 documents have no checksum/)] });
    await client.command({ update: 'c', updates: [{ q: { _id: 2 }, u: { $set: { b: 1 } } }] });
    expect(await client.command({ validate: 'c' })).toMatchObject({ valid: true, warnings: [] });
    await client.command({ delete: 'c', deletes: [{ q: {}, limit: 0 }] });
    expect([...engine.store.keys(prefixRange(slotPrefix(number(), checksumSlot)))]).toEqual([]);
  });

  it('a copy that is made while it is written to is a store of its own, whole', async () => {
    const target = join(folder, 'copy');
    const writes = Array.from({ length: 50 }, (_, n) =>
      client.command({ insert: 'c', documents: [{ _id: n + 10, a: n }] }),
    );
    await mkdir(target);
    await engine.store.copyTo(join(target, 'store.mdb'));
    await Promise.all(writes);
    const copy = new Engine(target);
    try {
      expect(await new LocalClient(copy).command({ validate: 'c' })).toMatchObject({ valid: true });
    } finally {
      await copy.close();
    }
  });

  it('sees a document that is none', async () => {
    await engine.writes.run(({ store }) => store.put(documentKey(number(), 2), Buffer.from('no document')));
    expect(await client.command({ validate: 'c' })).toMatchObject({
      valid: false,
      nInvalidDocuments: 1,
      corruptRecords: [2n],
    });
  });
});
