import { keptSince } from '@invoicing/rules';
import { startTestStore, type TestStore } from '@invoicing/testing';
import { draftCollection } from './invoices/draft-store';
import { openPurges } from './purge-store';
import { subscriptionCollection } from './subscriptions/subscription-store';

const NOW = new Date('2026-11-22T12:00:00Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

let store: TestStore;
beforeAll(async () => (store = await startTestStore()));
afterAll(() => store.close());

test('closed drafts and ended subscriptions end after their time; what is open or runs stays', async () => {
  const connection = await store.connect();
  const purges = await openPurges(connection, { purge: async () => ({ found: 0, purged: 0 }) });
  const drafts = connection.db!.collection<{ _id: string }>(draftCollection.name);
  const subscriptions = connection.db!.collection<{ _id: string }>(subscriptionCollection.name);
  // Only what the rules look at.
  const unchecked = { bypassDocumentValidation: true };
  const organizationId = 'bakery';
  await drafts.insertMany(
    [
      { _id: 'issued long ago', organizationId, open: false, createdAt: daysAgo(91) },
      { _id: 'issued', organizationId, open: false, createdAt: daysAgo(89) },
      { _id: 'open for ever', organizationId, open: true, createdAt: daysAgo(9_999) },
    ] as never,
    unchecked,
  );
  await subscriptions.insertMany(
    [
      ['ended long ago', 'ended', 731, 900],
      ['ended', 'ended', 729, 900],
      ['ended, made lately', 'ended', 1_200, 10],
      ['paused', 'paused', 900, 1_000],
      ['runs', 'active', 900, 1_000],
    ].map(([_id, status, next, made]) => ({
      ...{ _id, organizationId, status, createdAt: daysAgo(made as number) },
      nextRunDate: dayOf(daysAgo(next as number)),
    })) as never,
    unchecked,
  );
  expect(await purges.closedDrafts!(keptSince('closedDrafts', NOW), 500)).toEqual({ found: 1, purged: 1 });
  expect(await purges.endedSubscriptions!(keptSince('endedSubscriptions', NOW), 500)).toEqual({ found: 1, purged: 1 });
  expect((await drafts.find().toArray()).map(({ _id }) => _id)).toEqual(['issued', 'open for ever']);
  expect((await subscriptions.find().toArray()).map(({ _id }) => _id)).toEqual([
    ...['ended', 'ended, made lately', 'paused', 'runs'],
  ]);
});
