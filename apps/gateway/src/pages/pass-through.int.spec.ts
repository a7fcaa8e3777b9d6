import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { startEdge } from '../testing/test-gateway';

// A service's own pages, as they arrive there and come back.

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly length: number;
}

let pages: Server;
let edge: Awaited<ReturnType<typeof startEdge>>;

beforeAll(async () => {
  pages = createServer((request, response) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => (length += chunk.length));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      response.setHeader('keep-alive', 'timeout=1');
      response.setHeader('proxy-authenticate', 'Basic');
      response.setHeader('content-security-policy', "default-src 'none'");
      response.statusCode = url.includes('missing') ? 404 : 200;
      response.end(JSON.stringify({ method, url, headers, length } satisfies Seen));
    });
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const targets = { billing: url, checkout: url, notification: 'http://127.0.0.1:1', application: url };
  edge = await startEdge({ pages: targets });
});
afterAll(async () => {
  await edge.close();
  pages.closeAllConnections();
  pages.close();
});

test.each(['/p/token', '/p/token/pdf?x=%2F..', '/c/abc', '/sandbox/pay/1', '/providers/mollie/callback', '/c/i/t'])(
  '%s arrives as it was sent',
  async (path) => {
    const answer = await edge.gateway.send('GET', path);
    expect(answer.status).toBe(200);
    expect((JSON.parse(answer.text) as Seen).url).toBe(path);
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('bodies of any kind and size stream through', async () => {
  const body = 'x'.repeat(3 * 1024 * 1024);
  const answer = await edge.gateway.send('POST', '/c/abc', { body, headers: { 'content-type': 'text/plain' } });
  expect(JSON.parse(answer.text)).toMatchObject({ method: 'POST', length: body.length });
  expect((await edge.gateway.send('GET', '/p/missing')).status).toBe(404);
});

test('what is between two neighbours stays there, and nobody says who came in but the gateway', async () => {
  const outgoing = httpRequest(`${edge.gateway.url}/p/x`, {
    headers: {
      connection: 'keep-alive, x-private, x-forwarded-for, content-length',
      'x-private': 'secret',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-proto': 'gopher',
      forwarded: 'for=1.2.3.4',
      'x-request-id': 'kept',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
    },
  });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const seen = JSON.parse(Buffer.concat(await answer.toArray()).toString()) as Seen;
  for (const name of ['x-private', 'te', 'proxy-authorization', 'forwarded', 'traceparent', 'tracestate'])
    expect(seen.headers[name]).toBeUndefined();
  expect(seen.headers).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-request-id': 'kept',
  });
  expect(answer.headers['proxy-authenticate']).toBeUndefined();
  expect(answer.headers['keep-alive']).not.toBe('timeout=1');
});

test('a service that does not answer: a sentence for people, JSON for programs', async () => {
  const page = await edge.gateway.send('GET', '/dev/mail', { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([501, 'text/html; charset=utf-8']);
  expect(page.text).toContain('Try again');
  const form = await edge.gateway.send('POST', '/dev/webhooks/x', { headers: { accept: 'text/html' } });
  expect(form.text).toContain('cannot be reached');
  expect(form.text).not.toContain('<a');
  const json = await edge.gateway.send('GET', '/dev/mail');
  expect({ status: json.status, body: json.body as unknown }).toEqual({ status: 501, body: { error: 'unavailable' } });
});

test('paths that only look alike are not passed through', async () => {
  for (const path of ['/pay', '/cc', '/dev/mailbox', '/dev', '/sandboxed'])
    expect((await edge.gateway.send('GET', path)).body).toEqual({ error: 'not_found' });
});

test('a page that meets a backend as it closes its connections is asked for once more; a payment is not', async () => {
  const asked: string[] = [];
  const stopping = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.connection}`);
    if (asked.length === 1 || request.method === 'POST') request.socket.destroy();
    else response.end('here');
  });
  stopping.listen(0, '127.0.0.1');
  await once(stopping, 'listening');
  const url = `http://127.0.0.1:${(stopping.address() as AddressInfo).port}`;
  const other = await startEdge({ pages: { billing: url, checkout: url, notification: url, application: url } });
  try {
    const page = await other.gateway.send('GET', '/p/token');
    expect([page.status, page.text]).toEqual([200, 'here']);
    expect(asked).toEqual(['GET keep-alive', 'GET close']);
    expect((await other.gateway.send('POST', '/c/token')).status).toBe(501);
    expect(asked).toHaveLength(3);
  } finally {
    await other.close();
    stopping.closeAllConnections();
    stopping.close();
  }
});
