import { waitFor } from '@invoicing/testing';
import { RequestsService } from '@invoicing/contracts/invoicing/gateway/v1/requests';
import { openChannel } from '@invoicing/rpc';
import { testCall, testIdentity } from '@invoicing/testing';
import { startEdge, startTestGateway } from '../testing/test-gateway';
import { requestLog, type EndedRequest } from './request-log';

test('an organisation finds what its programs asked, and nothing of anybody else or of what was said', async () => {
  const edge = await startEdge();
  const gateway = await startTestGateway(edge.store, edge.services);
  const channel = openChannel(gateway.rpcAddress, testIdentity('admin'));
  const log = channel.client(RequestsService);
  const { id: organizationId } = edge.services.addOrganization();
  const { id: other } = edge.services.addOrganization();
  const { id: keyId, secret: key } = await gateway.createKey({ organizationId });
  const { secret: otherKey } = await gateway.createKey({ organizationId: other });
  const headers = { 'x-request-id': 'mine' };
  const body = { name: 'Secret Name', email: 'secret@example.nl' };
  await gateway.send('POST', '/api/v1/customers', { key, body, headers });
  await gateway.send('GET', '/api/v1/invoices?limit=secret-query', { key, headers });
  await gateway.send('POST', '/api/v1/customers', { key, body: { ...body, unknown: 'secret value' }, headers });
  await gateway.send('GET', '/api/v1/me', { key: otherKey, headers });
  await gateway.send('GET', '/api/v1/me', { headers });

  const list = (more: object = {}) => log.listRequests({ organizationId, ...more }, testCall());
  const { requests } = await waitFor(async () => {
    const found = await list();
    return found.requests.length === 3 ? found : undefined;
  });
  expect(requests.map(({ method, path, status, code }) => [method, path, status, code])).toEqual([
    ['POST', '/api/v1/customers', 400, 'validation'],
    ['GET', '/api/v1/invoices', 200, ''],
    ['POST', '/api/v1/customers', 201, ''],
  ]);
  expect(requests[2]).toMatchObject({ requestId: 'mine', keyId, durationMs: expect.any(Number), at: expect.any(Date) });
  expect(JSON.stringify(requests)).not.toMatch(/ecret/);
  expect((await list({ requestId: 'mine' })).requests).toHaveLength(3);
  expect((await list({ requestId: 'another' })).requests).toEqual([]);
  expect((await list({ failed: true })).requests).toHaveLength(1);
  const first = await list({ limit: 1 });
  expect((await list({ limit: 1, cursor: first.cursor })).requests).toEqual([requests[1]]);
  channel.close();
  await gateway.close();
  await edge.close();
});

test('no answer waits for the log: what the store does not take in time is dropped', async () => {
  const written: number[] = [];
  const faults: unknown[] = [];
  const broken = { insertMany: async (batch: readonly EndedRequest[]) => void written.push(batch.length) };
  const log = requestLog(broken, (error) => faults.push(error));
  const request = { organizationId: 'o', requestId: 'r' } as EndedRequest;
  for (let count = 0; count < 6_000; count++) log.add(request);
  await log.close();
  expect(written).toEqual([5_000]);
  const failing = requestLog({ insertMany: () => Promise.reject(new Error('no store')) }, (error) =>
    faults.push(error),
  );
  failing.add(request);
  await failing.close();
  expect(faults).toEqual([new Error('no store')]);
});
