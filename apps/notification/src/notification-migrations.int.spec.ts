import { migrate } from '@invoicing/mongo';
import { startTestStore } from '@invoicing/testing';
import { notificationMigrations } from './notification-migrations';

test('endpoints of the version before that got all there was get invoice.paid; what they named stays', async () => {
  const store = await startTestStore();
  const connection = await store.connect('notification');
  const endpoints = connection.db!.collection<{ _id: string; events: string[] }>('endpoints');
  await endpoints.insertMany([
    { _id: 'all', events: [] },
    { _id: 'named', events: ['invoice.paid'] },
  ]);
  await migrate(connection, notificationMigrations);
  expect((await endpoints.find().toArray()).map(({ events }) => events)).toEqual([['invoice.paid'], ['invoice.paid']]);
  await store.close();
});
