import { accessFaults, rpcFuzz } from '@invoicing/testing';
import { startEdge } from './testing/test-gateway';

// RPC_FUZZ=20000 for the long run.
const CALLS = Number(process.env['RPC_FUZZ'] ?? 300);

test('every method admits the callers of the table, and nobody else', async () => {
  const edge = await startEdge();
  const port = Number(edge.gateway.rpcAddress.split(':')[1]);
  expect(await accessFaults('invoicing.gateway.v1', port)).toEqual([]);
  await edge.close();
});

test(`${CALLS} messages made from the descriptors: none that the service fails at`, async () => {
  const edge = await startEdge();
  const port = Number(edge.gateway.rpcAddress.split(':')[1]);
  const { faults, statuses } = await rpcFuzz('invoicing.gateway.v1', port, CALLS, 20261122);
  if (process.env['RPC_FUZZ']) process.stderr.write(`${JSON.stringify(statuses)}\n`);
  expect(faults).toEqual([]);
  // They came through often enough to mean something.
  expect(statuses['OK']).toBeGreaterThan(CALLS / 50);
  await edge.close();
}, 3_600_000);
