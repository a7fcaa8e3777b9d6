import { rmSync } from 'node:fs';
import { startTestStore, waitFor, type TestStore } from '@invoicing/testing';
import { startFakeServices, type FakeServices } from '../testing/fake-services';
import { bundleGateway, startGatewayProcess, type GatewayProcess } from '../testing/gateway-process';
import { startRawBackend, talkRaw, type RawBackend } from '../testing/raw-backend';

// A backend that hangs, and strangers who ask for its pages all at once: the gateway as a process of its own, as in production.

jest.setTimeout(120_000);

const LANE = 256;
const QUEUE = 256;
const PER_ADDRESS = 64;

let folder: string;
let store: TestStore;
let services: FakeServices;
let backend: RawBackend;
let gateway: GatewayProcess;
let port: number;

beforeAll(async () => {
  folder = bundleGateway();
  [store, services, backend] = [await startTestStore(), await startFakeServices(), await startRawBackend()];
  gateway = await startGatewayProcess(folder, store, services.address, {
    BILLING_HTTP_URL: backend.url,
    CHECKOUT_HTTP_URL: backend.url,
    PAGE_RATE_LIMIT_PER_MINUTE: '100000',
    TRUSTED_PROXIES: '127.0.0.0/8',
    // The backend may hang for longer than a request waits for its turn.
    DEADLINE_SCALE: '4',
  });
  port = Number(new URL(gateway.url).port);
});
beforeEach(() => {
  backend.seen.length = 0;
  backend.hang(['/c/']);
});
afterEach(() => backend.hang([]));
afterAll(async () => {
  await gateway.kill();
  await Promise.all([backend.close(), services.close()]);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const BODY = 'method=ideal';
const post = (path: string, address: string, accept = '*/*'): Promise<string> =>
  talkRaw(
    port,
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-forwarded-for: ${address}\r\naccept: ${accept}\r\n` +
      `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  );

const statusOf = (answer: string): number => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);
const seenPages = (): number => backend.seen.filter(({ line }) => line.includes(' /c/')).length;

/** Sends all at once; `answers` grows as they come. */
function flood(count: number, send: (at: number) => Promise<string>) {
  const answers: string[] = [];
  const all = Promise.all(Array.from({ length: count }, (_, at) => send(at).then((answer) => answers.push(answer))));
  return { answers, statuses: () => answers.map(statusOf), all };
}

async function expectAllElseWorks(): Promise<void> {
  expect(gateway.child.exitCode).toBeNull();
  expect((await fetch(`${gateway.url}/api/health`)).status).toBeLessThan(504);
  const callbacks = flood(20, () => post('/providers/mollie/a/b', '192.0.2.1'));
  await callbacks.all;
  expect(callbacks.statuses()).toEqual(Array(20).fill(200));
  // Another service's pages have a way of their own.
  const page = `GET /p/t HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-forwarded-for: 192.0.2.9\r\n\r\n`;
  expect(statusOf(await talkRaw(port, page))).toBe(200);
}

test('300 small POSTs of one address: 64 wait for their answers, the others are told to come back', async () => {
  const { answers, statuses, all } = flood(300, () => post('/c/token', '192.0.2.1'));
  await waitFor(() => answers.length === 300 - PER_ADDRESS && seenPages() === PER_ADDRESS);
  expect(statuses()).toEqual(Array(300 - PER_ADDRESS).fill(429));
  for (const answer of answers) expect(answer).toMatch(/\r\nretry-after: [1-9]\d*\r\n/);
  await expectAllElseWorks();
  // Others are not in their shadow.
  const other = post('/c/token', '192.0.2.2');
  await waitFor(() => seenPages() === PER_ADDRESS + 1);
  backend.hang([]);
  await all;
  expect(statuses().filter((status) => status === 200)).toHaveLength(PER_ADDRESS);
  expect(statusOf(await other)).toBe(200);
  expect(statusOf(await post('/c/token', '192.0.2.1'))).toBe(200);
});

test('as many from many addresses: all slots in use, a full queue, and 503 with Retry-After beyond', async () => {
  const beyond = 88;
  const accept = (at: number): string => (at % 2 === 0 ? 'text/html' : 'application/json');
  const count = LANE + QUEUE + beyond;
  const { answers, statuses, all } = flood(count, (at) =>
    post('/c/token', `198.51.${at >> 8}.${at & 255}`, accept(at)),
  );
  await waitFor(() => answers.length === beyond && seenPages() === LANE);
  expect(statuses()).toEqual(Array(beyond).fill(503));
  const [pages, others] = [answers.filter((each) => each.includes('text/html')), answers];
  expect(pages.length).toBeGreaterThan(0);
  for (const page of pages) expect(page).toContain('Too busy just now');
  for (const each of others) expect(each).toMatch(/\r\nretry-after: [1-9]\d*\r\n/);
  expect(others.some((each) => each.endsWith('{"error":"unavailable"}'))).toBe(true);
  await expectAllElseWorks();
  backend.hang([]);
  await all;
  expect(statuses().filter((status) => status === 200)).toHaveLength(LANE + QUEUE);
  expect(seenPages()).toBe(LANE + QUEUE);
});

test('a request that waited too long is answered 503, and what was refused never reaches the backend', async () => {
  const { answers, statuses, all } = flood(LANE + 5, (at) => post('/c/token', `203.0.${at >> 8}.${at & 255}`));
  await waitFor(() => seenPages() === LANE);
  await waitFor(() => answers.length === 5, 30_000);
  expect(statuses()).toEqual(Array(5).fill(503));
  backend.hang([]);
  await all;
  expect(seenPages()).toBe(LANE);
});
