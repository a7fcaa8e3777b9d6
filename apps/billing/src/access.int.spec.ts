import { accessFaults, limitFaults, rpcFuzz } from '@invoicing/testing';
import { startBillingHarness } from './testing/billing-harness';

// RPC_FUZZ=20000 for the long run.
const CALLS = Number(process.env['RPC_FUZZ'] ?? 300);

test('every method admits the callers of the table, and nobody else; no list is longer than its limit', async () => {
  const harness = await startBillingHarness();
  expect(await accessFaults('invoicing.billing.v1', harness.billing.port)).toEqual([]);
  expect(await limitFaults('invoicing.billing.v1', harness.billing.port)).toEqual([]);
  await harness.close();
});

test(`${CALLS} messages made from the descriptors: none that the service fails at`, async () => {
  const harness = await startBillingHarness();
  const { faults, statuses } = await rpcFuzz('invoicing.billing.v1', harness.billing.port, CALLS, 20261122);
  if (process.env['RPC_FUZZ']) process.stderr.write(`${JSON.stringify(statuses)}\n`);
  expect(faults).toEqual([]);
  // They came through often enough to mean something.
  expect(statuses['OK']).toBeGreaterThan(CALLS / 50);
  await harness.close();
}, 3_600_000);
