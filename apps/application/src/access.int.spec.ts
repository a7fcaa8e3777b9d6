import { accessFaults, rpcFuzz } from '@invoicing/testing';
import { startApplicationRig } from './testing/application-rig';

const CALLS = Number(process.env['RPC_FUZZ'] ?? 300);

test('every method admits the callers of the table, and nobody else; no message makes one fail', async () => {
  const rig = await startApplicationRig();
  expect(await accessFaults('invoicing.application.v1', rig.port)).toEqual([]);
  const { faults } = await rpcFuzz('invoicing.application.v1', rig.port, CALLS, 20261122);
  expect(faults).toEqual([]);
  await rig.close();
}, 3_600_000);
