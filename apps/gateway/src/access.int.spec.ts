import { accessFaults } from '@invoicing/testing';
import { startEdge } from './testing/test-gateway';

test('every method admits the callers of the table, and nobody else', async () => {
  const edge = await startEdge();
  const port = Number(edge.gateway.rpcAddress.split(':')[1]);
  expect(await accessFaults('invoicing.gateway.v1', port)).toEqual([]);
  await edge.close();
});
