import { strict as assert } from 'node:assert';
import { type Db } from '@invoicing/mongo';
import { becomeReplica, startFleet } from '../testing/subscription-fleet';
import { periodInvoiceId } from './run-subscriptions';

const COUNT = Number(process.env['SUBSCRIPTIONS'] ?? 10_000);
const REPLICAS = 3;
const KILLS_EACH = 12;
const LIMIT_MS = 600_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** 10 000 due subscriptions on three replicas that are killed at random: each must come to exactly one invoice, in one gapless series. */
export async function run(): Promise<void> {
  if (becomeReplica()) return new Promise(() => undefined);
  const fleet = await startFleet();
  try {
    const ids = await fleet.subscribe(COUNT);
    const date = new Date().toISOString().slice(0, 10);
    say(`${COUNT} subscriptions are due`);
    const startedAt = Date.now();
    let kills = 0;
    let over = false;
    const keep = async (): Promise<void> => {
      for (let life = 0; life < KILLS_EACH && !over; life++) {
        const replica = await fleet.startReplica();
        await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 5_000));
        if (!over) kills += replica.kill('SIGKILL') ? 1 : 0;
      }
      // The last one lives, and takes up what the others held.
      if (!over) await fleet.startReplica();
    };
    const keeping = Promise.all(Array.from({ length: REPLICAS }, keep));
    while ((await open(fleet.db)) > 0) {
      if (Date.now() - startedAt > LIMIT_MS) throw new Error(`${await open(fleet.db)} are still due`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    over = true;
    const seconds = (Date.now() - startedAt) / 1_000;
    await keeping;
    await check(fleet.db, ids, date);
    say(
      `${COUNT} invoices, one each, gapless, after ${kills} kills of ${REPLICAS} replicas in ${seconds.toFixed(1)} s`,
    );
    assert(kills > 0, 'nothing was killed');
  } finally {
    await fleet.close();
  }
}

const open = (db: Db): Promise<number> => db.collection('subscriptions').countDocuments({ nextIndex: 0 });

async function check(db: Db, ids: readonly string[], date: string): Promise<void> {
  const invoices = await db
    .collection<{ _id: string; seq: number; series: string }>('invoices')
    .find({}, { projection: { seq: 1, series: 1 } })
    .sort({ series: 1, seq: 1 })
    .toArray();
  assert.equal(invoices.length, ids.length, 'as many invoices as subscriptions');
  const wanted = new Set(ids.map((id) => periodInvoiceId(id, date)));
  for (const { _id } of invoices) assert(wanted.delete(_id), `invoice ${_id} is nobody's, or a second one`);
  invoices.forEach(({ seq }, index) => assert.equal(seq, index + 1, 'numbers without gaps'));
  const drafts = await db.collection('drafts').countDocuments();
  assert.equal(drafts, 0, 'no drafts are left behind');
}
