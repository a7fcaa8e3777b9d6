import { Binary } from 'bson';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Doc } from '../bson/value';
import { Engine } from '../engine';
import { LocalClient } from '../testing/local-client';
import { sessionRecords } from './retryable-writes';

const newSession = (): Doc => ({
  id: new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), Binary.SUBTYPE_UUID),
});

/** The same write sent again, as a driver does when its answer was lost. */
describe('retryable writes', () => {
  let folder: string;
  let engine: Engine;
  let client: LocalClient;

  const open = (): void => {
    engine = new Engine(folder, { testCommands: true });
    client = new LocalClient(engine);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
    open();
  });
  afterEach(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  const increment = (lsid: Doc, txnNumber: bigint): Doc => ({
    findAndModify: 'counters',
    query: { _id: 'f' },
    update: { $inc: { seq: 1 } },
    upsert: true,
    new: true,
    lsid,
    txnNumber,
  });

  it.each<[string, Doc]>([
    ['insert', { insert: 'c', documents: [{ n: 1 }] }],
    ['update', { update: 'c', updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } }, upsert: true }] }],
    ['delete', { delete: 'c', deletes: [{ q: {}, limit: 1 }] }],
    ['findAndModify', { findAndModify: 'c', query: { _id: 0 }, update: { $inc: { n: 1 } }, new: true }],
  ])('%s is applied once and answered alike', async (_name, command) => {
    await client.command({
      insert: 'c',
      documents: [
        { _id: 0, n: 0 },
        { _id: 9, n: 0 },
      ],
    });
    const lsid = newSession();
    const first = await client.command({ ...command, lsid, txnNumber: 1n });
    const documents = await client.find('c', {});
    expect(await client.command({ ...command, lsid, txnNumber: 1n })).toEqual(first);
    expect(await client.find('c', {})).toEqual(documents);
    await client.command({ ...command, lsid, txnNumber: 2n });
    expect(await client.find('c', {})).not.toEqual(documents);
  });

  it('the answer outlives the store: it is written with the change', async () => {
    const lsid = newSession();
    const first = await client.command(increment(lsid, 7n));
    await engine.close();
    open();
    expect(await client.command(increment(lsid, 7n))).toEqual(first);
    expect(await client.find('counters', {})).toEqual([{ _id: 'f', seq: 1 }]);
    expect(await client.command(increment(lsid, 8n))).toMatchObject({ value: { seq: 2 } });
  });

  it('answers the refusals of a batch alike, without trying it again', async () => {
    const lsid = newSession();
    const command: Doc = {
      insert: 'c',
      documents: [{ _id: 1 }, { _id: 1 }, { _id: 2 }],
      ordered: false,
      lsid,
      txnNumber: 1n,
    };
    const first = await client.command(command);
    expect(first).toMatchObject({ n: 2, writeErrors: [{ index: 1, code: 11000 }] });
    expect(await client.command(command)).toEqual(first);
    expect(await client.find('c', {})).toHaveLength(2);
  });

  it('a number that is older than the last is refused, and nothing is done', async () => {
    const lsid = newSession();
    await client.command(increment(lsid, 5n));
    await expect(client.command(increment(lsid, 4n))).rejects.toMatchObject({ code: 225 });
    expect(await client.find('counters', {})).toEqual([{ _id: 'f', seq: 1 }]);
  });

  it('statements of one number that came in several commands are told apart', async () => {
    const lsid = newSession();
    const insert = (stmtId: number): Doc => ({
      insert: 'c',
      documents: [{ _id: stmtId }],
      lsid,
      txnNumber: 1n,
      stmtId,
    });
    for (const stmtId of [0, 1, 0, 1]) expect(await client.command(insert(stmtId))).toEqual({ n: 1 });
    expect(await client.find('c', {})).toHaveLength(2);
  });

  it('refuses what cannot be done once, and what is a transaction', async () => {
    const lsid = newSession();
    const many: Doc = { update: 'c', updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }], lsid, txnNumber: 1n };
    await expect(client.command(many)).rejects.toMatchObject({ code: 72 });
    await expect(client.command({ find: 'c', lsid, txnNumber: 1n })).rejects.toMatchObject({ code: 50768 });
    await expect(client.command({ insert: 'c', documents: [{}], txnNumber: 1n })).rejects.toMatchObject({ code: 72 });
    const transaction: Doc = {
      insert: 'c',
      documents: [{}],
      lsid,
      txnNumber: 1n,
      startTransaction: true,
      autocommit: false,
    };
    await expect(client.command(transaction)).rejects.toMatchObject({
      code: 20,
      message: 'Transaction numbers are only allowed on a replica set member or mongos',
    });
  });

  it('a session has one record, and none half an hour after its last write', async () => {
    const lsid = newSession();
    for (let txnNumber = 1n; txnNumber <= 20n; txnNumber++) await client.command(increment(lsid, txnNumber));
    expect([...engine.store.keys(sessionRecords)]).toHaveLength(1);
    // What changes nothing leaves nothing: a worker that polls does not write.
    await client.command({ delete: 'none', deletes: [{ q: {}, limit: 1 }], lsid: newSession(), txnNumber: 1n });
    expect([...engine.store.keys(sessionRecords)]).toHaveLength(1);
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * 60_000);
    await engine.sweeper.sweepNow();
    later.mockRestore();
    expect([...engine.store.keys(sessionRecords)]).toEqual([]);
  });
});
