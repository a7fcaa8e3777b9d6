import { accessFaults } from '@invoicing/testing';
import { startCheckoutRig } from './testing/checkout-rig';

test('every method admits the callers of the table, and nobody else', async () => {
  const rig = await startCheckoutRig();
  expect(await accessFaults('invoicing.checkout.v1', rig.config.port)).toEqual([]);
  await rig.close();
});
