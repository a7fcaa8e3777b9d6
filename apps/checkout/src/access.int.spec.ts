import { accessFaults, limitFaults, rpcFuzz } from '@invoicing/testing';
import { startCheckoutRig } from './testing/checkout-rig';

// RPC_FUZZ=20000 for the long run.
const CALLS = Number(process.env['RPC_FUZZ'] ?? 300);

test('every method admits the callers of the table, and nobody else; no list is longer than its limit', async () => {
  const rig = await startCheckoutRig();
  expect(await accessFaults('invoicing.checkout.v1', rig.config.port)).toEqual([]);
  expect(await limitFaults('invoicing.checkout.v1', rig.config.port)).toEqual([]);
  await rig.close();
});

test(`${CALLS} messages made from the descriptors: none that the service fails at`, async () => {
  const rig = await startCheckoutRig();
  const { faults, statuses } = await rpcFuzz('invoicing.checkout.v1', rig.config.port, CALLS, 20261122);
  if (process.env['RPC_FUZZ']) process.stderr.write(`${JSON.stringify(statuses)}\n`);
  expect(faults).toEqual([]);
  // They came through often enough to mean something.
  expect(statuses['OK']).toBeGreaterThan(CALLS / 50);
  await rig.close();
}, 3_600_000);
