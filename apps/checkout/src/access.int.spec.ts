import { accessFaults, limitFaults } from '@invoicing/testing';
import { startCheckoutRig } from './testing/checkout-rig';

test('every method admits the callers of the table, and nobody else; no list is longer than its limit', async () => {
  const rig = await startCheckoutRig();
  expect(await accessFaults('invoicing.checkout.v1', rig.config.port)).toEqual([]);
  expect(await limitFaults('invoicing.checkout.v1', rig.config.port)).toEqual([]);
  await rig.close();
});
