import { accessFaults, limitFaults } from '@invoicing/testing';
import { startBillingHarness } from './testing/billing-harness';

test('every method admits the callers of the table, and nobody else; no list is longer than its limit', async () => {
  const harness = await startBillingHarness();
  expect(await accessFaults('invoicing.billing.v1', harness.billing.port)).toEqual([]);
  expect(await limitFaults('invoicing.billing.v1', harness.billing.port)).toEqual([]);
  await harness.close();
});
