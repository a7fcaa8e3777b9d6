import { createLogger } from '@invoicing/telemetry';
import { accessFaults, limitFaults, rpcFuzz, startTestStore, testIdentity } from '@invoicing/testing';
import { startCatalog } from './service';

// RPC_FUZZ=20000 for the long run.
const CALLS = Number(process.env['RPC_FUZZ'] ?? 300);

test('every method admits the callers of the table, and nobody else; no list is longer than its limit', async () => {
  const store = await startTestStore();
  const catalog = await startCatalog(
    {
      host: '127.0.0.1',
      port: 0,
      mongoUri: store.uri,
      identity: testIdentity('catalog'),
      viesUrl: 'http://127.0.0.1:1',
    },
    createLogger('catalog', 'silent'),
  );
  expect(await accessFaults('invoicing.catalog.v1', catalog.port)).toEqual([]);
  expect(await limitFaults('invoicing.catalog.v1', catalog.port)).toEqual([]);
  await catalog.close();
  await store.close();
});

test(`${CALLS} messages made from the descriptors: none that the service fails at`, async () => {
  const store = await startTestStore();
  const catalog = await startCatalog(
    {
      host: '127.0.0.1',
      port: 0,
      mongoUri: store.uri,
      identity: testIdentity('catalog'),
      viesUrl: 'http://127.0.0.1:1',
    },
    createLogger('catalog', 'silent'),
  );
  const { faults, statuses } = await rpcFuzz('invoicing.catalog.v1', catalog.port, CALLS, 20261122);
  if (process.env['RPC_FUZZ']) process.stderr.write(`${JSON.stringify(statuses)}\n`);
  expect(faults).toEqual([]);
  // They came through often enough to mean something.
  expect(statuses['OK']).toBeGreaterThan(CALLS / 50);
  await catalog.close();
  await store.close();
}, 3_600_000);
