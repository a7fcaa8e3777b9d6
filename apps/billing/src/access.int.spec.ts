import { accessFaults } from '@invoicing/testing';
import { startBillingHarness } from './testing/billing-harness';

test('every method admits the callers of the table, and nobody else', async () => {
  const harness = await startBillingHarness();
  expect(await accessFaults('invoicing.billing.v1', harness.billing.port)).toEqual([]);
  await harness.close();
});
