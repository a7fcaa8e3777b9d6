import { randomUUID } from 'node:crypto';
import { openHistory } from '@invoicing/mongo';
import { keptSince } from '@invoicing/rules';
import { startTestStore, type TestStore } from '@invoicing/testing';
import { forgetPayer, openPurges } from './purge-store';
import { mongoSessions, openSessions, type MongoSessions } from './sessions/session-store';
import { type Attempt, type Session } from './sessions/session';
import { sampleSession } from './testing/sample-session';

const NOW = new Date('2026-11-22T12:00:00Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

let store: TestStore;
let sessions: MongoSessions;
let purges: Awaited<ReturnType<typeof openPurges>>;
beforeAll(async () => {
  store = await startTestStore();
  const connection = await store.connect();
  const model = await openSessions(connection);
  sessions = mongoSessions(model, await openHistory(connection, [model]));
  purges = await openPurges(connection);
});
afterAll(() => store.close());

const attempt = (changes: Partial<Attempt>): Attempt => ({
  ...{ id: randomUUID(), accountId: randomUUID(), provider: 'sandbox', method: 'ideal', status: 'failed' },
  ...{ paymentId: 'sb_1', payUrl: null, payer: { name: 'Sanne', email: 'sanne@example.nl' }, createdAt: daysAgo(400) },
  ...{ paidAt: null, pollAt: null, refund: null, ...changes },
});

const stored = async (changes: Partial<Session>): Promise<Session> =>
  sessions.insert(sampleSession({ id: randomUUID(), token: randomUUID(), ...changes }));

test('checkouts that were never paid end after their time; where money came or may come they stay', async () => {
  const ended = (days: number, changes: Partial<Session> = {}) =>
    stored({ status: 'expired', expiresAt: daysAgo(days), ...changes });
  await ended(31);
  await ended(31, { attempts: [attempt({ status: 'failed' }), attempt({ status: 'canceled' })] });
  const kept = [
    await ended(29),
    await stored({ status: 'open', expiresAt: daysAgo(31) }),
    await ended(31, { attempts: [attempt({ status: 'paid', paidAt: daysAgo(40) })] }),
    await ended(31, { attempts: [attempt({ status: 'mismatched' })] }),
    await ended(31, { attempts: [attempt({ status: 'pending', pollAt: NOW })] }),
    await ended(31, { kind: 'invoice' }),
  ];
  expect(await purges.neverPaidCheckouts!(keptSince('neverPaidCheckouts', NOW), 500)).toEqual({ found: 2, purged: 2 });
  const left = await sessions.collection.find().project<{ _id: string }>({ _id: 1 }).toArray();
  expect(left.map(({ _id }) => _id).sort()).toEqual(kept.map(({ id }) => id).sort());
});

test('payers’ details leave sessions that were paid long ago, and nothing else does', async () => {
  const paid = (days: number, changes: Partial<Session> = {}) => {
    const won = attempt({ status: 'paid', paidAt: daysAgo(days) });
    return stored({
      ...{ status: 'paid', paidAt: daysAgo(days), paidAttemptId: won.id, attempts: [attempt({}), won] },
      ...{ prefill: { email: 'sanne@example.nl' }, fulfilment: { status: 'done', nextTryAt: null, tries: 1 } },
      ...changes,
    });
  };
  const long = await paid(181);
  const lately = await paid(179);
  const waits = await paid(181, { fulfilment: { status: 'due', nextTryAt: NOW, tries: 9 } });
  const purge = async () => (await purges.payerDetails!(keptSince('payerDetails', NOW), 500)).purged;
  expect([await purge(), await purge()]).toEqual([1, 0]);
  const now = await sessions.find(long.organizationId, long.id);
  expect(now).toEqual({
    ...long,
    prefill: {},
    attempts: long.attempts.map((each) => ({ ...each, payer: null })),
    revision: long.revision + 1,
  });
  for (const untouched of [lately, waits])
    expect(await sessions.find(untouched.organizationId, untouched.id)).toEqual(untouched);
});

test('a session that moved on since it was seen is left to the next hour', async () => {
  const won = attempt({ status: 'paid', paidAt: daysAgo(200) });
  const paid = await stored({
    ...{ status: 'paid', paidAt: daysAgo(200), paidAttemptId: won.id, attempts: [won] },
    fulfilment: { status: 'done', nextTryAt: null, tries: 1 },
  });
  const before = { ...paid, _id: paid.id, revision: paid.revision - 1 };
  expect(await sessions.collection.bulkWrite([forgetPayer(before)])).toMatchObject({ modifiedCount: 0 });
  expect(await sessions.find(paid.organizationId, paid.id)).toEqual(paid);
});
