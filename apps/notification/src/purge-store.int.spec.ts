import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptSince } from '@invoicing/rules';
import { startTestStore, tempFolder, type TestStore } from '@invoicing/testing';
import { letterCollection } from './letters/letter-store';
import { mailCollection } from './mail/mail-store';
import { peppolCollection } from './peppol/peppol-delivery-store';
import { openPurges } from './purge-store';
import { deliveryCollection } from './webhooks/delivery-store';

const NOW = new Date('2026-11-22T12:00:00Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

const folder = tempFolder();
let store: TestStore;
beforeAll(async () => (store = await startTestStore()));
afterAll(async () => {
  await store.close();
  folder.remove();
});

test.each([
  ['mails', mailCollection.name, 365, ['sent', 'failed']],
  ['letters', letterCollection.name, 365, ['sent', 'failed']],
  ['peppolDeliveries', peppolCollection.name, 2_557, ['delivered', 'failed', 'skipped']],
  ['deliveries', deliveryCollection.name, 90, ['delivered', 'failed', 'held']],
] as const)('%s that are over end after their time; what is on its way stays', async (rule, name, days, over) => {
  const connection = await store.connect();
  const purges = await openPurges(connection, []);
  const collection = connection.db!.collection<{ _id: string }>(name);
  const made = [...over, 'pending', 'submitted'].flatMap((status) =>
    [days - 1, days + 1].map((age) => ({ _id: `${status} ${age}`, status, createdAt: daysAgo(age) })),
  );
  // Only what the rule looks at.
  const documents = made.map((each) => ({ ...each, organizationId: 'bakery' }));
  await collection.insertMany(documents, { bypassDocumentValidation: true });
  expect(await purges[rule]!(keptSince(rule, NOW), 500)).toMatchObject({ purged: over.length });
  const left = (await collection.find().toArray()).map(({ _id }) => _id);
  expect(left).toEqual(made.map(({ _id }) => _id).filter((id) => !over.some((each) => id === `${each} ${days + 1}`)));
});

test('files of messages end after their time, so many at once', async () => {
  const purges = await openPurges(await store.connect(), [folder.path, join(folder.path, 'never made')]);
  for (const [name, age] of [
    ['a.eml', 31],
    ['b.eml', 32],
    ['c.eml', 33],
    ['young.eml', 29],
  ] as const) {
    writeFileSync(join(folder.path, name), '');
    utimesSync(join(folder.path, name), daysAgo(age), daysAgo(age));
  }
  const purge = async () => (await purges.mailFiles!(keptSince('mailFiles', NOW), 2)).purged;
  expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0]);
  expect(readdirSync(folder.path)).toEqual(['young.eml']);
});
