import { startRawBackend, type RawBackend } from '../testing/raw-backend';
import { startEdge, startTestGateway, type TestGateway } from '../testing/test-gateway';
import { newKeyText } from '../keys/key-text';

// Who asks too much of public pages, or for an API with bad keys, is known by its address: the one that may be believed.

const LIMIT = 5;

let backend: RawBackend;
let edge: Awaited<ReturnType<typeof startEdge>>;
let running: TestGateway[] = [];

beforeAll(async () => {
  backend = await startRawBackend();
  edge = await startEdge();
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.close()));
  running = [];
});
afterAll(async () => {
  await edge.close();
  await backend.close();
});

/** A gateway whose counts begin anew. */
async function start(trustedProxies: string[] = []): Promise<TestGateway> {
  const { url } = backend;
  const pages = { billing: url, checkout: url, notification: url, application: url };
  const options = { pages, pageRateLimitPerMinute: LIMIT, trustedProxies };
  const gateway = await startTestGateway(edge.store, edge.services, options);
  running.push(gateway);
  return gateway;
}

const get = async (gateway: TestGateway, path: string, from?: string, accept = '*/*') =>
  gateway.send('GET', path, { headers: { accept, ...(from && { 'x-forwarded-for': from }) } });
const statuses = async (gateway: TestGateway, paths: readonly string[], from?: string): Promise<number[]> => {
  const all: number[] = [];
  for (const path of paths) all.push((await get(gateway, path, from)).status);
  return all;
};

test('all public pages count together, refusals reach no backend, and Retry-After says when the minute is over', async () => {
  const gateway = await start();
  const paths = ['/p/a', '/c/b', '/sandbox/pay/c', '/docs/', '/docs/openapi.json'];
  expect(await statuses(gateway, paths)).toEqual([200, 200, 200, 200, 200]);
  const before = backend.seen.length;
  expect(await statuses(gateway, paths)).toEqual([429, 429, 429, 429, 429]);
  expect(backend.seen).toHaveLength(before);
  const { headers, body } = await get(gateway, '/p/a');
  expect(body).toEqual({ error: 'rate_limited' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  const page = await get(gateway, '/c/b', undefined, 'text/html');
  expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
  expect(page.text).toContain('Too busy just now');
});

test('what providers report, the API and the pages for trying out are not counted', async () => {
  const gateway = await start();
  await statuses(gateway, Array(LIMIT + 1).fill('/p/a'));
  expect(await statuses(gateway, Array(3 * LIMIT).fill('/providers/mollie/a/b'))).toEqual(Array(3 * LIMIT).fill(200));
  expect(await statuses(gateway, ['/dev/webhooks/x', '/api/v1/me'])).toEqual([200, 401]);
});

test('nobody escapes by a header of his own', async () => {
  const gateway = await start();
  const all: number[] = [];
  for (let at = 0; at <= LIMIT; at++) all.push((await get(gateway, '/p/a', `192.0.2.${at}`)).status);
  expect(all).toEqual([...Array(LIMIT).fill(200), 429]);
});

test('behind a trusted proxy each client has its own count; of IPv6 each /64', async () => {
  const gateway = await start(['127.0.0.0/8', '10.0.0.0/8']);
  const full = Array(LIMIT).fill('/p/a') as string[];
  expect(await statuses(gateway, [...full, '/p/a'], '192.0.2.1')).toEqual([...full.map(() => 200), 429]);
  expect(await statuses(gateway, ['/p/a'], '192.0.2.2')).toEqual([200]);
  // What stands left of the first address that is not trusted is that client's own invention.
  expect(await statuses(gateway, ['/p/a'], '198.51.100.9, 192.0.2.1')).toEqual([429]);
  expect(await statuses(gateway, ['/p/a'], '192.0.2.1, 10.1.2.3')).toEqual([429]);
  await statuses(gateway, full, '2001:db8:0:1::1');
  expect(await statuses(gateway, ['/p/a'], '2001:db8:0:1:ffff::2')).toEqual([429]);
  expect(await statuses(gateway, ['/p/a'], '2001:db8:0:2::1')).toEqual([200]);
  expect(backend.seen.at(-1)?.headers['x-forwarded-for']).toBe('2001:db8:0:2::1');
});

test('what a trusted proxy forwards that is no address counts for the proxy', async () => {
  const gateway = await start(['127.0.0.1']);
  const all: number[] = [];
  for (let at = 0; at <= LIMIT; at++) all.push((await get(gateway, '/p/a', `unknown-${at}`)).status);
  expect(all).toEqual([...Array(LIMIT).fill(200), 429]);
});

test('bad keys count by the same address', async () => {
  const flood = async (gateway: TestGateway, from: (at: number) => string): Promise<Set<number>> => {
    const one = (at: number) =>
      gateway.send('GET', '/api/v1/me', { key: newKeyText('live'), headers: { 'x-forwarded-for': from(at) } });
    for (let at = 0; at < 300; at += 20) await Promise.all(Array.from({ length: 20 }, (_, more) => one(at + more)));
    return new Set(
      (await Promise.all(Array.from({ length: 5 }, (_, at) => one(300 + at)))).map(({ status }) => status),
    );
  };
  const alone = await start();
  expect(await flood(alone, (at) => `192.0.2.${at % 256}`)).toEqual(new Set([429]));
  const behind = await start(['127.0.0.1']);
  expect(await flood(behind, (at) => `2001:db8:0:1::${at.toString(16)}`)).toEqual(new Set([429]));
  expect(await flood(behind, (at) => `2001:db8:0:${at.toString(16)}::1`)).toEqual(new Set([401]));
});
