import { accessFaults, limitFaults } from '@invoicing/testing';
import { startTestNotification } from './testing/start-test-notification';

test('every method admits the callers of the table, and nobody else; no list is longer than its limit', async () => {
  const notification = await startTestNotification();
  expect(await accessFaults('invoicing.notification.v1', notification.port)).toEqual([]);
  expect(await limitFaults('invoicing.notification.v1', notification.port)).toEqual([]);
  await notification.close();
});
