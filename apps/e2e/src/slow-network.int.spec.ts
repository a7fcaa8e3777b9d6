import { randomInt, randomUUID } from 'node:crypto';
import { seededRandom, waitFor } from '@invoicing/testing';
import { Api } from './api';
import { CLEAR } from './relay';
import { startRelayedPlatform, type RelayedPlatform } from './relayed-platform';

// The network between services, store and broker: slow, losing packets, or swallowing everything. Every request is answered in its time,
// and what it is told is true. NETWORK_SEED repeats a run.

const SCALE = Number(process.env['TIME_SCALE'] ?? 1);
const SEED = Number(process.env['NETWORK_SEED'] ?? randomInt(2 ** 31));
const READ_MS = 3_000 * SCALE;
const WRITE_MS = 8_000 * SCALE;
// What a busy machine needs to notice that a timer is over.
const SLACK_MS = 1_000 * SCALE;

const DEAD = { ...CLEAR, isDead: true };

jest.setTimeout(300_000);

let platform: RelayedPlatform;
let api: Api;
let key: string;
let customerId: string;
let token: string;

beforeAll(async () => {
  platform = await startRelayedPlatform(seededRandom(SEED));
  const org = await platform.admin<{ id: string }>('org', 'create', '--name', 'Bakkerij De Zon', '--mode', 'test');
  ({ key } = await platform.admin<{ key: string }>('key', 'create', '--org', org.id, '--scopes', 'all'));
  await platform.admin('provider', 'connect', '--org', org.id, '--provider', 'sandbox');
  api = new Api(platform.url, key);
  customerId = (await api.post<{ data: { id: string } }>('/api/v1/customers', { name: 'Jan' })).body.data.id;
  const sent = { customerId, lines: [{ unitPriceCents: 100 }], send: true };
  token = (await api.post<{ data: { public_token: string } }>('/api/v1/invoices', sent)).body.data.public_token;
});
afterEach(() => platform?.clear());
afterAll(() => platform?.close());

interface Told {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
  readonly ms: number;
}

/** No time limit of its own: a request without an answer would hold up the test. */
async function ask(path: string, init: RequestInit = {}): Promise<Told> {
  const startedAt = Date.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
  const response = await fetch(platform.url + path, { ...init, headers });
  const text = await response.text();
  return { status: response.status, text, retryAfter: response.headers.get('retry-after'), ms: Date.now() - startedAt };
}

const write = (path: string, body: unknown, idempotencyKey: string): Promise<Told> =>
  ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'idempotency-key': idempotencyKey } });

/** The same request until it is answered for good, as an integrator does. */
const insist = (path: string, body: unknown, idempotencyKey: string): Promise<Told> =>
  waitFor(
    async () => {
      const told = await write(path, body, idempotencyKey);
      return told.status < 500 && told.status !== 409 && told;
    },
    60_000,
    250,
  );

const list = async (what: string): Promise<Record<string, unknown>[]> =>
  (await api.get<{ data: Record<string, unknown>[] }>(`/api/v1/${what}`)).body.data;

test.each([
  ['store', '/api/v1/customers'],
  ['catalog', '/api/v1/customers'],
  ['billing', '/api/v1/invoices'],
  ['checkout', '/api/v1/checkouts'],
] as const)(
  'nothing comes through to %s: reads and pages are answered in time, and it is found again',
  async (line, path) => {
    platform.set(line, DEAD);
    const page = ask(`/p/${token}`, { headers: { accept: 'text/html' } });
    const reads = await Promise.all([ask(path), ask(path), ask(path)]);
    for (const read of [...reads, await ask(path)]) {
      expect(read).toMatchObject({
        status: 501,
        text: '{"error":"unavailable"}',
        retryAfter: expect.stringMatching(/^[1-9]/),
      });
      expect(read.ms).toBeLessThan(READ_MS + SLACK_MS);
    }
    expect((await page).text).toContain('<html');
    expect((await page).ms).toBeLessThan(READ_MS + SLACK_MS);
    await platform.clear();
    await waitFor(async () => (await ask(path)).status === 200, 30_000, 250);
  },
);

test('nothing comes through to the broker: callers notice nothing, and their events come later', async () => {
  platform.set('broker', DEAD);
  const made = await write(
    '/api/v1/invoices',
    { customerId, lines: [{ unitPriceCents: 100 }], send: true },
    randomUUID(),
  );
  expect(made.status).toBe(201);
  expect((await ask('/api/v1/invoices')).status).toBe(200);
});

test.each(['store', 'catalog', 'billing'] as const)(
  'nothing comes through to %s in the middle of writes: each is told in time, its repeat makes one',
  async (line) => {
    const orders = Array.from({ length: 8 }, () => randomUUID());
    const [path, bodyOf] = ['/api/v1/customers', (order: string) => ({ name: order, externalId: order })];
    const before = (await list('invoices')).length;
    const invoice = { customerId, lines: [{ unitPriceCents: 100 }], send: true };
    const running = orders.flatMap((order) => [
      write(path, bodyOf(order), order),
      write('/api/v1/invoices', invoice, `i${order}`),
    ]);
    platform.set(line, DEAD);
    const told = await Promise.all(running);
    for (const { status, ms, text, retryAfter } of told) {
      expect([201, 500, 501]).toContain(status);
      expect(ms).toBeLessThan(WRITE_MS + SLACK_MS);
      if (status === 501) expect([text, Number(retryAfter) > 0]).toEqual(['{"error":"unavailable"}', true]);
    }
    await platform.clear();
    await expectTruth(
      orders,
      told.filter((_, at) => at % 2 === 0),
    );
    const again = await Promise.all(
      orders.flatMap((order) => [insist(path, bodyOf(order), order), insist('/api/v1/invoices', invoice, `i${order}`)]),
    );
    expect(again.map(({ status }) => status)).toEqual(Array(16).fill(201));
    told.forEach(({ status, text }, at) => status === 201 && expect(again[at]!.text).toBe(text));
    const names = (await list('customers')).map(({ name }) => name);
    for (const order of orders) expect(names.filter((name) => name === order)).toHaveLength(1);
    expect((await list('invoices')).length).toBe(before + orders.length);
  },
);

test(`slow lines that lose packets (seed ${SEED}): every answer in its time, and true`, async () => {
  platform.set('all', { latencyMs: 40, loss: 0.05, isDead: false });
  const told: Told[] = [];
  const orders: string[] = [];
  const client = async (): Promise<void> => {
    for (let at = 0; at < 6; at++) {
      const order = randomUUID();
      const made = await write('/api/v1/customers', { name: order, externalId: order }, order);
      orders.push(order);
      told.push(made);
      expect([201, 500, 501]).toContain(made.status);
      expect(made.ms).toBeLessThan(WRITE_MS + SLACK_MS);
      const read = await ask('/api/v1/customers');
      expect([200, 501]).toContain(read.status);
      expect(read.ms).toBeLessThan(READ_MS + SLACK_MS);
    }
  };
  await Promise.all(Array.from({ length: 6 }, client));
  expect(told.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  await platform.clear();
  await expectTruth(orders, told);
  for (const order of orders) await insist('/api/v1/customers', { name: order, externalId: order }, order);
  const names = (await list('customers')).map(({ name }) => name);
  for (const order of orders) expect(names.filter((name) => name === order)).toHaveLength(1);
});

/** Made is there, once; what was told to have done nothing has done nothing. */
async function expectTruth(orders: readonly string[], told: readonly Told[]): Promise<void> {
  const names = (await list('customers')).map(({ name }) => name);
  const count = (order: string): number => names.filter((name) => name === order).length;
  orders.forEach((order, at) => {
    const { status } = told[at]!;
    if (status === 201) expect([order, count(order)]).toEqual([order, 1]);
    if (status === 501) expect([order, count(order)]).toEqual([order, 0]);
    expect(count(order)).toBeLessThanOrEqual(1);
  });
}
