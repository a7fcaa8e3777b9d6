import { accessFaults, limitFaults, rpcFuzz } from '@invoicing/testing';
import { startTestNotification } from './testing/start-test-notification';

// RPC_FUZZ=20000 for the long run.
const CALLS = Number(process.env['RPC_FUZZ'] ?? 300);

test('every method admits the callers of the table, and nobody else; no list is longer than its limit', async () => {
  const notification = await startTestNotification();
  expect(await accessFaults('invoicing.notification.v1', notification.port)).toEqual([]);
  expect(await limitFaults('invoicing.notification.v1', notification.port)).toEqual([]);
  await notification.close();
});

test(`${CALLS} messages made from the descriptors: none that the service fails at`, async () => {
  const notification = await startTestNotification();
  const { faults, statuses } = await rpcFuzz('invoicing.notification.v1', notification.port, CALLS, 20261122);
  if (process.env['RPC_FUZZ']) process.stderr.write(`${JSON.stringify(statuses)}\n`);
  expect(faults).toEqual([]);
  // They came through often enough to mean something.
  expect(statuses['OK']).toBeGreaterThan(CALLS / 50);
  await notification.close();
}, 3_600_000);
