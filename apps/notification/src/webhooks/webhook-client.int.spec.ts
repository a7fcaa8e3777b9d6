import type { LookupAddress, LookupOptions } from 'node:dns';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { freePort } from '@invoicing/events';
import { startReceiver, type HttpReceiver } from '../testing/http-receiver';
import { testCertificate } from '../testing/test-certificate';
import { webhookClient, type WebhookClientOptions } from './webhook-client';

type Lookup = NonNullable<WebhookClientOptions['lookup']>;
type Answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** A resolver of ours: every name leads to these addresses. */
const resolving = (...addresses: string[]): Lookup =>
  ((_name: string, _options: LookupOptions, callback: Answer) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as Lookup;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function client(changes: Partial<WebhookClientOptions> = {}) {
  const made = webhookClient({ allowLoopback: true, connections: 4, timeLimitMs: 500, ...changes });
  closers.push(() => made.close());
  return made;
}

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<HttpReceiver> {
  const made = await startReceiver(answer);
  closers.push(() => made.close());
  return made;
}

/** A server that speaks bytes of its own. */
async function rawServer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
    socket.once('data', () => onSocket(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const post = (url: string, options: Partial<WebhookClientOptions> = {}) =>
  client(options).post(url, { 'webhook-id': 'msg_1' }, '{"a":1}');

test('posts JSON and keeps the status and the beginning of the answer', async () => {
  const { url, received } = await receiver((_webhook, response) => response.writeHead(201).end('thanks'));
  expect(await post(`${url}/hook`)).toMatchObject({
    status: 201,
    error: '',
    excerpt: 'thanks',
    retryAfterMs: undefined,
  });
  expect(received).toMatchObject([
    { path: '/hook', body: '{"a":1}', headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' } },
  ]);
});

test('a redirect is an answer like any other, and is not followed', async () => {
  const inner = await receiver();
  const { url } = await receiver((_webhook, response) => response.writeHead(307, { location: inner.url }).end());
  expect(await post(url)).toMatchObject({ status: 307, error: '' });
  expect(inner.received).toEqual([]);
});

test('Retry-After is passed on', async () => {
  const { url } = await receiver((_webhook, response) => response.writeHead(503, { 'retry-after': '7' }).end());
  expect(await post(url)).toMatchObject({ status: 503, retryAfterMs: 7_000 });
});

test('an endpoint that hangs runs into the time limit', async () => {
  const { url } = await receiver(() => undefined);
  expect(await post(url)).toMatchObject({ status: 0, error: 'timeout' });
});

test('headers that come byte by byte run into the time limit', async () => {
  const url = await rawServer((socket) => {
    const bytes = [...'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: '.concat('y'.repeat(1_000))];
    const timer = setInterval(() => socket.write(bytes.shift() ?? 'y'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const { durationMs, ...result } = await post(url);
  expect(result).toMatchObject({ status: 0, error: 'timeout' });
  expect(durationMs).toBeLessThan(5_000);
});

test('a body that comes byte by byte does not take the status back, nor hold the connection', async () => {
  const url = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    const timer = setInterval(() => socket.write('z'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const { durationMs, ...result } = await post(url, { timeLimitMs: 10_000 });
  expect(result).toMatchObject({ status: 200, error: '', excerpt: expect.stringMatching(/^z+$/) });
  expect(durationMs).toBeLessThan(5_000);
});

test('of an answer of 100 MB little is read', async () => {
  let written = 0;
  const { url } = await receiver((_webhook, response) => {
    response.on('error', () => undefined);
    const chunk = Buffer.alloc(64 * 1_024, 'x');
    const write = (): void => {
      while (!response.destroyed && written < 100_000_000) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
    };
    write();
  });
  const { excerpt, status } = await post(url);
  expect({ status, length: excerpt.length }).toEqual({ status: 200, length: 1_024 });
  expect(written).toBeLessThan(20_000_000);
});

test('headers without end are refused', async () => {
  const url = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(64_000)}\r\n\r\n`));
  expect(await post(url)).toMatchObject({ status: 0, error: 'too_large' });
});

test('what is not HTTP, closes, or is not there', async () => {
  expect(await post(await rawServer((socket) => socket.write('SSH-2.0-x\r\n\r\n')))).toMatchObject({
    error: 'not_http',
  });
  expect(await post(await rawServer((socket) => socket.resetAndDestroy()))).toMatchObject({ error: 'reset' });
  expect(await post(`http://127.0.0.1:${await freePort()}/`)).toMatchObject({ error: 'refused' });
  const lookup = ((_name: string, _options: LookupOptions, callback: Answer) =>
    callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])) as Lookup;
  expect(await post('https://nowhere.example/', { lookup })).toMatchObject({ error: 'dns' });
});

describe('TLS', () => {
  let url: (host: string) => string;
  let requests: number;
  beforeEach(async () => {
    requests = 0;
    const server = createTlsServer(testCertificate, (_request, response) => {
      requests++;
      response.writeHead(200).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => (server.closeAllConnections(), server.close()));
    const { port } = server.address() as AddressInfo;
    url = (host) => `https://${host}:${port}/`;
  });

  test('a certificate that does not verify is refused', async () => {
    expect(await post(url('127.0.0.1'))).toMatchObject({ status: 0, error: 'tls' });
    expect(requests).toBe(0);
  });

  test('a trusted certificate of another name is refused', async () => {
    const options = { ca: testCertificate.cert, lookup: resolving('127.0.0.1') };
    expect(await post(url('other.example'), options)).toMatchObject({ status: 0, error: 'tls' });
    expect(await post(url('hooks.example'), options)).toMatchObject({ status: 200 });
    expect(requests).toBe(1);
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['a private address', ['10.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a translated address', ['64:ff9b::7f00:1']],
    ['a public address and loopback', ['8.8.8.8', '127.0.0.1']],
    ['nothing', []],
  ])('a name that leads to %s is refused before anything is sent', async (_name, addresses) => {
    const options = { allowLoopback: false, ca: testCertificate.cert, lookup: resolving(...addresses) };
    expect(await post(url('hooks.example'), options)).toMatchObject({ status: 0, error: 'forbidden_target' });
    expect(requests).toBe(0);
  });

  test('a name that is bound anew between two looks gains nothing: what was checked is connected to', async () => {
    const answers = [['203.0.113.1'], ['127.0.0.1']];
    let looks = 0;
    const lookup = ((name: string, options: LookupOptions, callback: Answer) =>
      (resolving(...answers[Math.min(looks++, 1)]!) as unknown as (...all: unknown[]) => void)(
        name,
        options,
        callback,
      )) as Lookup;
    const made = client({ allowLoopback: false, ca: testCertificate.cert, lookup });
    for (let time = 0; time < 3; time++) {
      expect(await made.post(url('hooks.example'), {}, '')).toMatchObject({ error: 'forbidden_target' });
    }
    expect({ requests, looks }).toEqual({ requests: 0, looks: 3 });
  });
});

test('an address as host needs no lookup and is checked all the same', async () => {
  const { url, received } = await receiver();
  for (const host of [url, url.replace('127.0.0.1', '2130706433'), url.replace('127.0.0.1', '0x7f.1')]) {
    expect(await post(host, { allowLoopback: false })).toMatchObject({ error: 'forbidden_target' });
  }
  expect(received).toEqual([]);
});
