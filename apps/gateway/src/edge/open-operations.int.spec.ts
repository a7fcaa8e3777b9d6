import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startTestNats, type TestNats } from '@invoicing/testing';
import { gatewayRoutes } from '../routes/gateway-routes';
import { gatewayConfig, startEdge, startTestGateway, type TestGateway } from '../testing/test-gateway';
import { compileValidator } from './validator';

// What needs no key: the document, its page, health, and everything that is nowhere.

let edge: Awaited<ReturnType<typeof startEdge>>;
let gateway: TestGateway;
let nats: TestNats;

beforeAll(async () => {
  nats = await startTestNats();
  edge = await startEdge({ natsUrl: nats.url });
  ({ gateway } = edge);
});
afterAll(async () => {
  await edge.close();
  await nats.close();
});

const answerSchema = gatewayRoutes.find(({ path }) => path === '/api/health')?.answerSchema;
const isHealthAnswer = (body: unknown): boolean => compileValidator(answerSchema!)(body).length === 0;

test.each(['/api/v1/openapi', '/docs/openapi.json'])('%s is the raw document, open to other origins', async (path) => {
  const answer = await gateway.send('GET', path);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1' }] });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.text).toBe((await gateway.send('GET', '/api/v1/openapi')).text);
});

test('/docs is a page of our own files under a strict policy', async () => {
  const page = await gateway.send('GET', '/docs');
  expect(page.status).toBe(200);
  expect(page.text).toContain('scalar.js');
  expect(page.text).not.toMatch(/https?:\/\//);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect((await gateway.send('GET', '/docs/reference.js')).headers.get('content-type')).toContain('javascript');
  for (const path of ['/docs/../package.json', '/docs/%2e%2e/%2e%2e/package.json', '/docs/nothing.js'])
    expect((await gateway.send('GET', path)).body).toEqual({ error: 'not_found' });
});

test('/ is a page that says what this is and where everything else is', async () => {
  const page = await gateway.send('GET', '/');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("style-src 'self';");
  for (const link of ['/app', '/docs/', '/docs/quickstart', '/dev/mail', '/api/health'])
    expect(page.text).toContain(`href="${link}"`);
  expect(page.text).not.toContain('{{');
});

test('health names every part, and the time to look is remembered', async () => {
  const answer = await gateway.send('GET', '/api/health');
  expect(answer.status).toBe(200);
  expect(isHealthAnswer(answer.body)).toBe(true);
  expect(answer.body.data.status).toBe('ok');
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('health is not held up by what hangs, and tells what is down', async () => {
  // Takes connections and never says a word.
  const hanging: Server = createServer();
  hanging.listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const sockets = new Set<Socket>();
  hanging.on('connection', (socket) => sockets.add(socket));
  const address = `127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const { addresses } = gatewayConfig(edge.store, edge.services.address);
  const replica = await startTestGateway(edge.store, edge.services, {
    natsUrl: `nats://${address}`,
    addresses: { ...addresses, checkout: address, notification: '127.0.0.1:1' },
  });
  const startedAt = Date.now();
  const answer = await replica.send('GET', '/api/health');
  expect(Date.now() - startedAt).toBeLessThan(1_500);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({
    status: 'degraded',
    checks: {
      auth: 'ok',
      database: 'ok',
      events: 'down',
      services: { billing: 'ok', catalog: 'ok', checkout: 'down', notification: 'down' },
    },
  });
  await replica.close();
  for (const socket of sockets) socket.destroy();
  hanging.close();
});

test('without its store the gateway says 503, and 501 to those who ask for more', async () => {
  const other = await startEdge();
  const { secret } = await other.gateway.createKey({ organizationId: other.services.addOrganization().id });
  expect((await other.gateway.send('GET', '/api/v1/me', { key: secret })).status).toBe(200);
  await other.store.close();
  const [health, me] = await Promise.all([
    other.gateway.send('GET', '/api/health'),
    other.gateway.send('GET', '/api/v1/me', { key: secret }),
  ]);
  expect(health.status).toBe(503);
  expect(isHealthAnswer(health.body)).toBe(true);
  expect(health.body.data.checks).toMatchObject({ app: 'ok', auth: 'down', database: 'down' });
  expect({ status: me.status, body: me.body as unknown }).toEqual({ status: 501, body: { error: 'unavailable' } });
  await other.gateway.close();
  await other.services.close();
});

test('a service that does not answer is 501, and the others go on', async () => {
  const { addresses } = gatewayConfig(edge.store, edge.services.address);
  const replica = await startTestGateway(edge.store, edge.services, {
    addresses: { ...addresses, catalog: '127.0.0.1:1' },
  });
  const { secret: key } = await replica.createKey({ organizationId: edge.services.addOrganization().id });
  const customers = await replica.send('GET', '/api/v1/customers', { key });
  expect({ status: customers.status, body: customers.body as unknown }).toEqual({
    status: 501,
    body: { error: 'unavailable' },
  });
  expect((await replica.send('GET', '/api/v1/invoices', { key })).status).toBe(200);
  await replica.close();
});

test('open operations stay open in maintenance', async () => {
  await gateway.setMaintenance(true);
  expect((await gateway.send('GET', '/api/health')).status).toBe(200);
  expect((await gateway.send('GET', '/api/v1/openapi')).status).toBe(200);
  await gateway.setMaintenance(false);
});

test('unknown paths and methods', async () => {
  for (const path of ['/api', '/api/v1', '/api/v1/unknown', '/api/v1/me/', '/api/v1/ME', '/api/v2/me', '/%zz', '/pp/x'])
    expect([path, (await gateway.send('GET', path)).body]).toEqual([path, { error: 'not_found' }]);
  for (const method of ['DELETE', 'PUT', 'PATCH', 'OPTIONS'])
    expect((await gateway.send(method, '/api/v1/customers')).headers.get('allow')).toBe('GET, HEAD, POST');
  const head = await gateway.send('HEAD', '/api/v1/openapi');
  expect([head.status, head.text]).toEqual([200, '']);
});

test('a request id is kept when it is sane, else replaced', async () => {
  const idOf = async (id: string) =>
    (await gateway.send('GET', '/api/health', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
  expect(await idOf('trace-1.2:3')).toBe('trace-1.2:3');
  for (const bad of ['', 'a b', '<script>', 'x'.repeat(129)]) expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
});
