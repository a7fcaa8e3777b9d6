import { createLogger } from '@invoicing/telemetry';
import { accessFaults, limitFaults, startTestStore, testIdentity } from '@invoicing/testing';
import { startCatalog } from './service';

test('every method admits the callers of the table, and nobody else; no list is longer than its limit', async () => {
  const store = await startTestStore();
  const catalog = await startCatalog(
    { host: '127.0.0.1', port: 0, mongoUri: store.uri, identity: testIdentity('catalog') },
    createLogger('catalog', 'silent'),
  );
  expect(await accessFaults('invoicing.catalog.v1', catalog.port)).toEqual([]);
  expect(await limitFaults('invoicing.catalog.v1', catalog.port)).toEqual([]);
  await catalog.close();
  await store.close();
});
