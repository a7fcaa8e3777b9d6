import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { newKeyText } from '../keys/key-text';
import { startEdge, startTestGateway } from '../testing/test-gateway';

test('one line a request: who, what, how long; never keys, bodies, addresses or raw paths', async () => {
  const lines: string[] = [];
  const edge = await startEdge();
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const gateway = await startTestGateway(edge.store, edge.services, {}, log as never);
  const { id: organizationId } = edge.services.addOrganization();
  const { id: keyId, secret: key } = await gateway.createKey({ organizationId });
  const bad = newKeyText('live');
  const body = { name: 'Secret Name', email: 'secret@example.nl' };
  const headers = { 'x-request-id': 'mine', 'idempotency-key': 'idem-secret' };
  await gateway.send('POST', '/api/v1/customers', { key, body, headers });
  await gateway.send('POST', '/api/v1/customers', { key, body: { ...body, unknown: 'secret value' } });
  await gateway.send('GET', '/api/v1/me', { key: bad });
  await gateway.send('GET', `/p/${randomUUID()}-token-secret`);
  await gateway.send('GET', '/somewhere/secret?api_key=secret');
  edge.services.state.beforeWrite = () => Promise.reject(new Error('broken'));
  await gateway.send('POST', '/api/v1/customers', { key, body });
  await gateway.close();
  await edge.close();

  const text = lines.join('');
  for (const secret of [
    key,
    bad,
    key.slice(14),
    'ecret Name',
    'secret@',
    'idem-secret',
    'secret value',
    'token-secret',
    'api_key',
  ])
    expect(text).not.toContain(secret);
  const requests = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(6);
  expect(requests[0]).toMatchObject({
    requestId: 'mine',
    method: 'POST',
    route: '/api/v1/customers',
    status: 201,
    code: 'ok',
    durationMs: expect.any(Number),
    keyId,
    organizationId,
  });
  expect(requests.map(({ route, status, code }) => [route, status, code])).toEqual([
    ['/api/v1/customers', 201, 'ok'],
    ['/api/v1/customers', 400, 'validation'],
    ['/api/v1/me', 401, 'unauthorized'],
    ['/p/*', 501, 'unavailable'],
    ['other', 404, 'not_found'],
    ['/api/v1/customers', 500, 'generic'],
  ]);
  expect(lines.filter((line) => line.includes('request failed'))).toHaveLength(1);
});
