import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startEmbeddedMongo, type EmbeddedMongo } from '@invoicing/embedded-mongo';
import { connectMongo } from './connect-mongo';
import { declareCollection, required } from './declare-collection';
import { type Connection, type Model } from './driver-types';
import { nativeCollection, openCollection } from './open-collection';
import { openHistory, type History } from './recorded-change';
import {
  historyCollection,
  pendingChangeIndex,
  recordedFields,
  type HistoryEntry,
  type Recorded,
} from './recorded-document';

interface Shelf extends Recorded {
  readonly name: string;
}

const shelves = declareCollection<Shelf>('shelves', {
  shardKey: { organizationId: 1 },
  fields: { ...recordedFields, organizationId: required(String), name: required(String) },
  indexes: [pendingChangeIndex],
});

const folder = mkdtempSync(join(tmpdir(), 'recorded-change-'));
const given = process.env['MONGODB_URI'];
let store: EmbeddedMongo | undefined;
let connection: Connection;
let model: Model<Shelf>;
let entries: Model<HistoryEntry>;
let history: History;

beforeAll(async () => {
  if (!given) store = await startEmbeddedMongo({ folder });
  connection = await connectMongo({ uri: given ?? store!.uri, database: `history_${randomUUID().slice(0, 8)}` });
  model = await openCollection(connection, shelves);
  history = await openHistory(connection, [model]);
  entries = await openCollection(connection, historyCollection);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
  await store?.close();
  rmSync(folder, { recursive: true });
});

const anna = { kind: 'user', id: 'u-1', label: 'Anna' } as const;
const told = (_id: string, label: string, action = 'shelf.renamed', fields = ['name']) => ({
  by: anna,
  action,
  subject: { kind: 'shelf', id: _id, label },
  fields,
});
const create = (organizationId: string, _id: string = randomUUID()): Promise<Shelf> =>
  history.insert(model, { _id, organizationId, name: 'top' }, told(_id, 'top', 'shelf.created', []));
const rename = (seen: Shelf, name: string): Promise<Shelf> =>
  history.change(model, seen, { ...told(seen._id, name), update: { $set: { name } } });
const read = ({ organizationId, _id }: Shelf): Promise<Shelf> =>
  model.findOne({ organizationId, _id }).lean<Shelf>().orFail().exec();
const listed = async (organizationId: string) =>
  (await history.page(organizationId, { limit: 100 })).entries
    .map(({ subject, revision, action, by }) => [`${subject.id}:${revision}`, action, by])
    .reverse();
async function waitFor(probe: () => boolean | Promise<boolean>): Promise<void> {
  for (const until = Date.now() + 10_000; !(await probe()); await setTimeout(20))
    if (Date.now() > until) throw new Error(`never: ${probe.toString()}`);
}
const ended = (): never => {
  throw new Error('the process ended');
};

test('a change and who made it are read back, from the document and from the list', async () => {
  const made = await create('bakery');
  const renamed = await rename(made, 'middle');
  expect(renamed).toMatchObject({ name: 'middle', revision: 2, updatedBy: anna });
  const change = { ...told(made._id, 'middle'), at: renamed.updatedAt, revision: 2 };
  expect((await read(made)).lastChange).toMatchObject(change);
  const { entries: newest, cursor } = await history.page('bakery', { limit: 1 });
  expect(newest).toEqual([{ ...told(made._id, 'middle'), at: renamed.updatedAt, revision: 2, cursor }]);
  const rest = await history.page('bakery', { limit: 1, cursor });
  expect(rest).toMatchObject({ entries: [{ action: 'shelf.created', revision: 1 }], cursor: undefined });
  expect(await listed('mill')).toEqual([]);
});

test('the same creation again is one document and one entry', async () => {
  const id = randomUUID();
  await Promise.all(Array.from({ length: 8 }, () => create('repeat', id)));
  expect(await listed('repeat')).toEqual([[`${id}:1`, 'shelf.created', anna]]);
});

test('what else changes a document meanwhile makes no second entry of its last change', async () => {
  const made = await create('grown');
  const grow = { $inc: { revision: 1 }, $set: { 'lastChange.isPending': true } };
  await model.updateOne({ organizationId: 'grown', _id: made._id }, grow);
  await model.updateOne({ organizationId: 'grown', _id: made._id }, grow);
  expect(await listed('grown')).toEqual([[`${made._id}:1`, 'shelf.created', anna]]);
  expect((await read(made)).lastChange!.isPending).toBeUndefined();
});

test('a change is in the list a moment later, though nobody reads it', async () => {
  const { _id } = await create('copied');
  await waitFor(async () => (await entries.countDocuments({ organizationId: 'copied' })) === 1);
  await waitFor(async () => !(await read({ _id, organizationId: 'copied' } as Shelf)).lastChange!.isPending);
});

test('the last change of a document that is deleted is kept', async () => {
  const renamed = await rename(await create('deleted'), 'middle');
  await history.copyNow('deleted');
  await model.deleteOne({ organizationId: 'deleted', _id: renamed._id });
  expect((await listed('deleted')).map(([, action]) => action)).toEqual(['shelf.created', 'shelf.renamed']);
});

describe('a process that ends after the change', () => {
  const collections = (): { bulkWrite: () => Promise<unknown> } =>
    Object.getPrototypeOf(nativeCollection(model)) as never;
  const WAYS = {
    'before the entries are written': () => jest.spyOn(collections(), 'bulkWrite').mockImplementation(ended),
    'before the documents know of them': () => {
      const { bulkWrite } = collections();
      return jest.spyOn(collections(), 'bulkWrite').mockImplementationOnce(bulkWrite).mockImplementation(ended);
    },
  };
  const renamedAndEnded = async (made: Shelf, end: () => jest.SpyInstance): Promise<void> => {
    const copying = end();
    await rename(made, 'middle');
    await waitFor(() => copying.mock.results.some(({ type }) => type === 'throw'));
    jest.restoreAllMocks();
    expect(await read(made)).toMatchObject({ name: 'middle', revision: 2, lastChange: { isPending: true } });
  };

  test.each(Object.entries(WAYS))('%s: the list has it all the same, once', async (_name, end) => {
    const organizationId = randomUUID();
    const made = await create(organizationId);
    await renamedAndEnded(made, end);
    const both = [
      [`${made._id}:1`, 'shelf.created', anna],
      [`${made._id}:2`, 'shelf.renamed', anna],
    ];
    expect(await listed(organizationId)).toEqual(both);
    expect(await listed(organizationId)).toEqual(both);
    expect((await read(made)).lastChange).not.toHaveProperty('isPending');
  });

  test.each(Object.entries(WAYS))('%s: the next change loses nothing', async (_name, end) => {
    const organizationId = randomUUID();
    const made = await create(organizationId);
    await renamedAndEnded(made, end);
    await rename(await read(made), 'bottom');
    expect((await listed(organizationId)).map(([id]) => id)).toEqual([1, 2, 3].map((each) => `${made._id}:${each}`));
  });
});

test('of two changes of what both have seen one is refused', async () => {
  const made = await create('race');
  const outcomes = await Promise.allSettled([rename(made, 'left'), rename(made, 'right')]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await listed('race')).map(([id]) => id)).toEqual([`${made._id}:1`, `${made._id}:2`]);
});

test('a caller that has not seen the latest revision hears what changed, and by whom', async () => {
  const renamed = await rename(await create('seen'), 'middle');
  await expect(history.assertSeen(model, renamed, 1)).rejects.toMatchObject({
    kind: 'conflict',
    code: 'revision_conflict',
    publicMessage: expect.stringContaining('name by Anna') as string,
  });
  await history.assertSeen(model, renamed, 2);
  await history.assertSeen(model, renamed, undefined);
});

test('a document of a version before changes, and its first change is in the list', async () => {
  const old = { _id: randomUUID(), organizationId: 'old', name: 'top' };
  await model.collection.insertOne(old as never);
  expect(await rename(await read(old), 'middle')).toMatchObject({ revision: 1 });
  expect(await listed('old')).toEqual([[`${old._id}:1`, 'shelf.renamed', anna]]);
});
