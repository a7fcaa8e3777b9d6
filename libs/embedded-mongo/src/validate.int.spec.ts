import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from './engine';
import { documentKey, prefixRange, slotPrefix } from './storage/keys';
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

  it('sees a document that is none', async () => {
    await engine.writes.run(({ store }) => store.put(documentKey(number(), 2), Buffer.from('no document')));
    expect(await client.command({ validate: 'c' })).toMatchObject({
      valid: false,
      nInvalidDocuments: 1,
      corruptRecords: [2n],
    });
  });
});
