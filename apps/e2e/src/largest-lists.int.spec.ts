import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateObjectSize } from 'bson';
import { connectMongo } from '@invoicing/mongo';
import { Api } from './api';
import { RunningPlatform } from './running-platform';

// Whatever is accepted can be listed: full pages of the largest documents there can be, over all hops. And so is what is stored for repeats.

jest.setTimeout(300_000);

// A document's texts hold at most 128 KiB together.
const TEXT = 128 * 1024;
// That of a subscription has all of its lines, and is packed.
const MOST_STORED_BYTES = 8 * 1024;
const linesOf = (count: number) =>
  Array.from({ length: count }, () => ({
    ...{ description: 'w'.repeat(Math.floor(TEXT / count)), quantity: 1, unitPriceCents: 101 },
  }));

let platform: RunningPlatform;
let api: Api;
let customerId: string;
beforeAll(async () => {
  const env = { RATE_LIMIT_PER_MINUTE: '10000', DEADLINE_SCALE: '4' };
  platform = await RunningPlatform.start({ env });
  const demo = await platform.admin<{ key: string }>('demo');
  api = new Api(platform.url, demo.key);
  const made = await api.post<{ data: { id: string } }>('/api/v1/customers', { name: 'Sanne', countryCode: 'NL' });
  customerId = made.body.data.id;
});
afterAll(() => platform.close());

test.each([
  ['invoices', 50, () => ({ customerId, lines: linesOf(500), send: false })],
  ['checkouts', 100, () => ({ title: 'W'.repeat(100), lines: linesOf(100) })],
  ['subscriptions', 100, () => ({ customerId, freq: 'monthly', lines: linesOf(500) })],
] as const)('%s: a page of %d of the largest', async (what, count, body) => {
  const path = `/api/v1/${what}`;
  for (let at = 0; at < count; at++) {
    const { status } = await api.post(path, body(), { 'idempotency-key': `${what} ${at}` });
    expect([path, at, status]).toEqual([path, at, 201]);
  }
  const [line, ...rest] = body().lines;
  const tooMuch = { ...body(), lines: [{ ...line, description: 'w'.repeat(2_000) }, ...rest] };
  expect(await api.post(path, tooMuch)).toMatchObject({ status: 400, body: { details: [{ path: '/lines' }] } });
  const list = await api.get<{ data: object[] }>(path);
  expect([list.status, list.body.data.length]).toEqual([200, count]);
});

test('answers that are stored for repeats stay small', async () => {
  const { mongodbUri: uri } = JSON.parse(readFileSync(join(platform.dataDir, 'platform.json'), 'utf8')) as {
    mongodbUri: string;
  };
  const connection = await connectMongo({ uri, database: 'gateway' });
  const stored = await connection.db!.collection('idempotency').find({ state: 'done' }).toArray();
  await connection.close();
  expect(stored.length).toBeGreaterThanOrEqual(250);
  const sizes = stored.map((record) => calculateObjectSize(record));
  expect(Math.max(...sizes)).toBeLessThan(MOST_STORED_BYTES);
});
