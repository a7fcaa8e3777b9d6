import { connect } from 'node:net';
import { startEdge, startTestGateway, type TestGateway } from '../testing/test-gateway';

let edge: Awaited<ReturnType<typeof startEdge>>;
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  edge = await startEdge();
  ({ gateway } = edge);
  key = await keyOf();
});
afterAll(() => edge.close());

const keyOf = async () =>
  (await gateway.createKey({ organizationId: edge.services.addOrganization().id, scopes: ['customers:write'] })).secret;

/** Sends bytes as they are; answers status, headers and the parsed body. */
function raw(head: string[], body = ''): Promise<{ status: number; head: string; body: unknown }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [headText = '', bodyText = ''] = text.split('\r\n\r\n');
      resolve({ status: Number(headText.split(' ')[1]), head: headText, body: bodyText && JSON.parse(bodyText) });
    });
    socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`, 'latin1');
  });
}

const post = (headers: string[], body = '{"name":"Jan"}') =>
  raw(
    [
      'POST /api/v1/customers HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...headers,
    ],
    body,
  );
const faults = (...messages: string[]) => ({
  error: 'validation',
  details: messages.map((message) => ({ path: '', message: expect.stringContaining(message) })),
});

test('an Idempotency-Key that is sent twice makes nothing', async () => {
  const twice = await post(['Idempotency-Key: order-1', 'idempotency-key: order-1']);
  expect(twice).toMatchObject({ status: 400, body: faults('sent once') });
  // A comma is a character as any other.
  expect(await post(['Idempotency-Key: order-1, order-1'])).toMatchObject({ status: 201 });
});

test('an Idempotency-Key has 200 Unicode characters at most, however many bytes they take', async () => {
  const utf8 = (text: string) => Buffer.from(text).toString('latin1');
  expect(await post([`Idempotency-Key: ${utf8('€'.repeat(200))}`])).toMatchObject({ status: 201 });
  expect(await post([`Idempotency-Key: ${utf8('€'.repeat(201))}`])).toMatchObject({ status: 400 });
  expect(await post([`Idempotency-Key: ${'a'.repeat(200)}`])).toMatchObject({ status: 201 });
  expect(await post([`Idempotency-Key: ${'a'.repeat(201)}`])).toMatchObject({ status: 400 });
});

test.each([
  ['too long', 'a'.repeat(129)],
  ['with spaces', 'a b'],
  ['with markup', '<b>'],
  ['not ASCII', '\u00e9'],
  ['twice', 'one\r\nX-Request-Id: two'],
])('an X-Request-Id %s is replaced', async (_name, value) => {
  const answer = await post([`X-Request-Id: ${value}`]);
  expect(answer.status).toBe(201);
  expect(/x-request-id: (.*)/i.exec(answer.head)?.[1]).toMatch(/^[0-9a-f-]{36}$/);
});

test('what is no request says what is wrong with it, and has a request id', async () => {
  const answers = [
    [await raw(['GET /api/health HTTP/1.1']), 400, 'Host'],
    [await raw(['GET /api/health HTTP/1.1', 'Host: x', `X-Large: ${'a'.repeat(20_000)}`]), 431, '16 KiB'],
    [await raw(['nonsense']), 400, 'HTTP'],
  ] as const;
  for (const [answer, status, message] of answers) {
    expect(answer).toMatchObject({ status, body: faults(message) });
    expect(answer.head).toMatch(/^x-request-id: [0-9a-f-]{36}$/im);
  }
});

test.each(['/api/v1/openapi', '/docs/openapi.json'])('a page of another origin may read %s', async (path) => {
  const asked = await gateway.send('OPTIONS', path, {
    headers: { origin: 'https://other.example', 'access-control-request-method': 'GET' },
  });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-origin')).toBe('*');
  expect(asked.headers.get('access-control-allow-methods')).toContain('GET');
});

test('404 and 405 count for the key, and are refused as everything is when its minute is used up', async () => {
  const strict = await startTestGateway(edge.store, edge.services, { rateLimitPerMinute: 2 });
  const secret = await keyOf();
  const statusOf = async (method: string, path: string, by?: string) =>
    (await strict.send(method, path, { key: by })).status;
  expect(await statusOf('GET', '/api/v1/nothing', secret)).toBe(404);
  expect(await statusOf('DELETE', '/api/v1/customers', secret)).toBe(405);
  expect(await statusOf('GET', '/api/v1/nothing', secret)).toBe(429);
  expect(await statusOf('DELETE', '/api/v1/customers', secret)).toBe(429);
  expect(await statusOf('GET', '/api/v1/nothing')).toBe(404);
  expect(await statusOf('GET', '/api/v1/nothing', 'nobody')).toBe(404);
  await strict.close();
});
