import { Api } from './api';
import { processOf } from './processes';
import { RunningPlatform } from './running-platform';

// A part that hangs is not a part that is gone: it accepts connections and answers nothing. Every request gets an answer in its time.

const SCALE = Number(process.env['TIME_SCALE'] ?? 1);
const READ_MS = 3_000 * SCALE;
const WRITE_MS = 8_000 * SCALE;
// What a busy machine needs to notice that a timer is over.
const SLACK_MS = 1_000 * SCALE;

jest.setTimeout(240_000);

let platform: RunningPlatform;
let api: Api;
let key: string;
let customerId: string;
let token: string;

beforeAll(async () => {
  platform = await RunningPlatform.start({ env: { RATE_LIMIT_PER_MINUTE: '100000' } });
  const org = await platform.admin<{ id: string }>('org', 'create', '--name', 'Bakkerij De Zon', '--mode', 'test');
  ({ key } = await platform.admin<{ key: string }>('key', 'create', '--org', org.id, '--scopes', 'all'));
  await platform.admin('provider', 'connect', '--org', org.id, '--provider', 'sandbox');
  api = new Api(platform.url, key);
  customerId = (await api.post<{ data: { id: string } }>('/api/v1/customers', { name: 'Jan' })).body.data.id;
  const sent = { customerId, lines: [{ unitPriceCents: 100 }], send: true };
  token = (await api.post<{ data: { public_token: string } }>('/api/v1/invoices', sent)).body.data.public_token;
});
afterAll(() => platform?.stop());

/** Runs `work` while a part is stopped in its tracks, and lets it go on afterwards. */
async function whileStopped(part: string, work: () => Promise<void>): Promise<void> {
  const { pid } = processOf(platform.dataDir, part);
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

async function timed(method: 'GET' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}) {
  const startedAt = Date.now();
  const response = await fetch(platform.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text, ms: Date.now() - startedAt };
}

const invoice = () => ({ customerId, lines: [{ unitPriceCents: 100 }] });

test.each([
  ['billing/main.js', '/api/v1/invoices'],
  ['catalog/main.js', '/api/v1/customers'],
  ['checkout/main.js', '/api/v1/checkouts'],
  ['platform/store.js', '/api/v1/customers'],
])('while %s hangs a read is 501 in time, and soon at once', async (part, path) => {
  await whileStopped(part, async () => {
    const first = await timed('GET', path);
    expect(first).toMatchObject({
      status: 501,
      text: '{"error":"unavailable"}',
      retryAfter: expect.stringMatching(/^[1-9]/),
    });
    expect(first.ms).toBeLessThan(READ_MS + SLACK_MS);
    // Who knows that it does not answer does not wait for it.
    const second = await timed('GET', path);
    expect(second.status).toBe(501);
    if (part !== 'platform/store.js') expect(second.ms).toBeLessThan(1_500 * SCALE);
  });
  // And it is found again as soon as it answers.
  for (let tries = 0; (await timed('GET', path)).status !== 200; tries++) {
    if (tries > 50) throw new Error(`${part} is not found again`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
});

test('while catalog hangs an invoice is answered in time, and its repeat makes one', async () => {
  const headers = { 'idempotency-key': 'hanging-1' };
  await whileStopped('catalog/main.js', async () => {
    const answer = await timed('POST', '/api/v1/invoices', invoice(), headers);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(answer.ms).toBeLessThan(WRITE_MS + SLACK_MS);
    const other = await timed('POST', '/api/v1/invoices', { ...invoice(), send: true }, headers);
    expect(JSON.parse(other.text)).toEqual({ error: 'idempotency_conflict' });
  });
  const count = async () =>
    (JSON.parse((await timed('GET', '/api/v1/invoices')).text) as { data: unknown[] }).data.length;
  const before = await count();
  let again = await timed('POST', '/api/v1/invoices', invoice(), headers);
  for (let tries = 0; again.status >= 500 && tries < 50; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    again = await timed('POST', '/api/v1/invoices', invoice(), headers);
  }
  expect(again.status).toBe(201);
  expect(await count()).toBe(before + 1);
});

test.each(['billing/main.js', 'platform/store.js'])(
  'while %s hangs a page says so instead of nothing',
  async (part) => {
    await whileStopped(part, async () => {
      const page = await timed('GET', `/p/${token}`, undefined, { accept: 'text/html' });
      expect(page.status).toBeGreaterThanOrEqual(500);
      expect(page.text).toContain('<html');
      expect(page.ms).toBeLessThan(READ_MS + SLACK_MS);
    });
  },
);
