import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@invoicing/embedded-mongo';
import { connectMongo } from '@invoicing/mongo';
import { tempFolder, waitFor } from '@invoicing/testing';
import { Api } from './api';
import { killEverything } from './processes';
import { RunningPlatform } from './running-platform';

// A folder that version 1 wrote (made as its notes beside it say: testing/store-v1), opened by this version: everything is there, and goes on.

jest.setTimeout(120_000);

interface Listed {
  readonly id: string;
  readonly number: string;
  readonly status: string;
}
interface Data<T> {
  readonly data: T;
}
interface Series {
  readonly name: string;
  readonly count: number;
  readonly last: string;
  readonly gapless: boolean;
  readonly chainValid: boolean;
}

const written = JSON.parse(readFileSync(join(__dirname, 'testing/store-v1.json'), 'utf8')) as {
  readonly demo: { readonly organization: string; readonly key: string; readonly invoices: readonly Listed[] };
  readonly second: {
    readonly id: string;
    readonly key: string;
    readonly profileKey: string;
    readonly revokedKey: string;
    readonly platformKey: string;
    readonly invoices: readonly Listed[];
    readonly draft: string;
    readonly sent: Listed & { readonly public_token: string };
    readonly request: object;
    readonly idempotencyKey: string;
    readonly openCheckout: { readonly id: string; readonly url: string };
    readonly pendingCheckout: { readonly id: string };
    readonly subscriptions: readonly object[];
    readonly letters: readonly object[];
    readonly credits: object;
    readonly delivery: string;
  };
  readonly series: readonly Series[];
};
const { demo, second } = written;

const folder = tempFolder();
let platform: RunningPlatform;
const as = (key: string): Api => new Api(platform.url, key);
const invoicesOf = async (key: string): Promise<Listed[]> =>
  (await as(key).get<Data<Listed[]>>('/api/v1/invoices?limit=100')).body.data;
const numbers = async (): Promise<readonly Series[]> =>
  (await platform.admin<{ series: Series[] }>('numbers', 'verify')).series;

beforeAll(async () => {
  execFileSync('tar', ['-xzf', join(__dirname, 'testing/store-v1.tar.gz'), '-C', folder.path]);
  const options = { dataDir: folder.path, env: { RATE_LIMIT_PER_MINUTE: '1000' } };
  // Killed somewhere on its way, twice: the next start goes on with what is left.
  for (const afterMs of [900, 1_800]) {
    const doomed = RunningPlatform.start(options).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await killEverything(folder.path);
    await doomed;
  }
  platform = await RunningPlatform.start(options);
});
afterAll(async () => {
  await platform?.stop();
  folder.remove();
});

test('every key that was valid still is, and sees what it saw', async () => {
  expect(await invoicesOf(demo.key)).toMatchObject(demo.invoices);
  expect(await invoicesOf(second.key)).toMatchObject(second.invoices);
  const ofProfile = await invoicesOf(second.profileKey);
  expect(ofProfile.map(({ number }) => number)).toEqual(['V-2026-0001']);
  expect((await as(second.revokedKey).get('/api/v1/me')).status).toBe(401);
});

test('numbers verify: every series is whole', async () => {
  const found = new Map((await numbers()).map((each) => [each.name, each]));
  for (const before of written.series) expect(found.get(before.name)).toMatchObject(before);
});

test('page and PDF of an old invoice', async () => {
  const page = `${platform.url}/p/${second.sent.public_token}`;
  const statuses = await Promise.all(['', '/invoice.pdf'].map(async (path) => (await fetch(`${page}${path}`)).status));
  expect(statuses).toEqual([200, 200]);
});

test('subscriptions, letters, mail credits and webhook deliveries are as they were', async () => {
  const subscriptions = (await as(second.key).get<Data<object[]>>('/api/v1/subscriptions')).body.data;
  expect(subscriptions).toMatchObject(second.subscriptions);
  expect(await platform.admin('letter', 'list', '--org', second.id)).toMatchObject(second.letters);
  expect(await platform.admin('credits', 'balance', '--org', second.id)).toMatchObject(second.credits);
  const deliveries = await platform.admin<{ id: string }[]>('webhook', 'deliveries', '--org', second.id);
  expect(deliveries.map(({ id }) => id)).toContain(second.delivery);
});

test('an endpoint that named no events gets invoice.paid, as it did', async () => {
  const endpoints = await platform.admin<{ events: string[] }[]>('webhook', 'list', '--org', second.id);
  expect(endpoints.map(({ events }) => events)).toEqual([['invoice.paid']]);
});

test('the same request with the same Idempotency-Key makes nothing new', async () => {
  const before = await invoicesOf(second.key);
  const headers = { 'idempotency-key': second.idempotencyKey };
  const again = await as(second.key).post<Data<Listed>>('/api/v1/invoices', second.request, headers);
  expect(again.body.data).toMatchObject({ id: second.sent.id, number: second.sent.number });
  expect(await invoicesOf(second.key)).toHaveLength(before.length);
});

test('what is issued now continues its series: anew, from a draft, as a credit note, by a checkout', async () => {
  // A series is of one year: in a later one than the store's it begins anew.
  const year = new Date().getFullYear();
  const after = (count: number): string => `${year}-${String((year === 2026 ? count : 0) + 1).padStart(4, '0')}`;
  const made = await as(second.key).post<Data<Listed>>('/api/v1/invoices', second.request);
  expect(made.body.data).toMatchObject({ number: after(13) });
  const issued = await platform.admin('invoice', 'issue', second.draft);
  expect(issued).toMatchObject({ id: second.draft });
  const note = await platform.admin('invoice', 'credit', second.sent.id, '--org', second.id);
  expect(note).toMatchObject({ number: `C-${after(1)}` });

  const page = new URL(new URL(second.openCheckout.url).pathname, platform.url).href;
  const sandbox = await submit(page, {
    ...{ type: 'person', method: 'ideal', countryCode: 'NL', name: 'Kees', email: 'kees@example.nl' },
  });
  await submit(sandbox, { outcome: 'paid' });
  await waitFor(async () => {
    const list = await as(second.key).get<Data<{ id: string; status: string }[]>>('/api/v1/checkouts');
    return list.body.data.find(({ id }) => id === second.openCheckout.id)?.status === 'paid';
  });
  await waitFor(async () => (await invoicesOf(second.key)).filter(({ status }) => status === 'paid').length === 2);
  for (const { gapless, chainValid } of await numbers()) expect([gapless, chainValid]).toEqual([true, true]);
});

test('the platform grants credits with its old key', async () => {
  const granted = await as(second.platformKey).post('/api/v1/credits', { orgId: second.id, credits: 5 });
  expect(granted.status).toBe(201);
});

test('the store has the indexes and validators of this version', async () => {
  await platform.stop();
  const store = await startEmbeddedMongo({ folder: join(folder.path, 'store') });
  try {
    for (const database of ['billing', 'catalog', 'checkout', 'notification', 'gateway']) {
      const connection = await connectMongo({ uri: store.uri, database });
      for (const { name, options } of (await connection.db!.listCollections().toArray()) as StoredCollection[]) {
        expect([name, options?.validationLevel, Object.keys(options?.validator ?? {})]).toEqual([
          name,
          'moderate',
          ['$jsonSchema'],
        ]);
        const indexes = await connection.db!.collection(name).indexes();
        const unique = indexes.filter((each) => each.unique).map(({ key }) => Object.keys(key)[0]);
        if (!['keys', 'sandbox_payments'].includes(name))
          expect([name, unique]).toEqual([name, unique.map(() => 'organizationId')]);
      }
      const running = await connection.db!.collection('migrations').countDocuments({ finishedAt: null });
      expect([database, running]).toEqual([database, 0]);
      await connection.close();
    }
  } finally {
    await store.close();
  }
});

interface StoredCollection {
  readonly name: string;
  readonly options?: { readonly validationLevel?: string; readonly validator?: object };
}

/** Sends a form as a payer's browser does; answers where it is sent on. */
async function submit(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  expect([url, response.status]).toEqual([url, 303]);
  return new URL(response.headers.get('location')!, url).href;
}
