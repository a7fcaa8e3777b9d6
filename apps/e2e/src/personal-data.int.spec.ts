import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connectMongo, type Connection } from '@invoicing/mongo';
import { waitFor } from '@invoicing/testing';
import { Api } from './api';
import { RunningPlatform } from './running-platform';

// What is held about a person, handed over and erased, over all services: `customer export` and `customer erase`.

jest.setTimeout(120_000);

interface Made {
  readonly id: string;
  readonly url: string;
  readonly number: string;
}
interface Erased {
  readonly done: boolean;
  readonly removed: boolean;
  readonly invoicesKept: number;
  readonly erased: Record<string, number>;
  readonly postponed: Record<string, number>;
}
interface Exported {
  readonly data: Record<string, Record<string, unknown>[]>;
}
interface History {
  readonly entries: { action: string }[];
}

const SERVICES = ['billing', 'catalog', 'checkout', 'gateway', 'notification'];
let platform: RunningPlatform;
let org: string;
let api: Api;
const connections: Record<string, Connection> = {};

beforeAll(async () => {
  platform = await RunningPlatform.start({
    env: { RATE_LIMIT_PER_MINUTE: '1000', PAGE_RATE_LIMIT_PER_MINUTE: '1000', OPERATOR: 'ada' },
  });
  const demo = await platform.admin<{ organization: string; key: string }>('demo');
  org = demo.organization;
  api = new Api(platform.url, demo.key);
  const { mongodbUri: uri } = JSON.parse(readFileSync(join(platform.dataDir, 'platform.json'), 'utf8')) as {
    mongodbUri: string;
  };
  for (const database of SERVICES) connections[database] = await connectMongo({ uri, database });
});
afterAll(async () => {
  for (const connection of Object.values(connections)) await connection.close();
  await platform.close();
});

const post = async (path: string, body: object, key?: string): Promise<Made> => {
  const answer = await api.post<{ data: Made }>(path, body, key ? { 'idempotency-key': key } : {});
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body.data;
};

/** `<database>.<collection>` of every document that contains the text, and files of messages that do. */
async function placesOf(text: string): Promise<string[]> {
  const places = new Set<string>();
  for (const [database, connection] of Object.entries(connections))
    for (const { name } of await connection.db!.listCollections().toArray())
      for await (const document of connection.db!.collection(name).find())
        if (JSON.stringify(document).toLowerCase().includes(text.toLowerCase())) places.add(`${database}.${name}`);
  for (const folder of ['mail', 'post'].map((each) => join(platform.dataDir, each)))
    if (existsSync(folder))
      for (const file of readdirSync(folder))
        if (readFileSync(join(folder, file), 'utf8').includes(text)) places.add(folder);
  return [...places].sort();
}

const lines = [{ description: 'Workshop', quantity: 1, unitPriceCents: 5_000 }];

async function pay(url: string, payer: Record<string, string>): Promise<void> {
  const submit = async (to: string, fields: Record<string, string>): Promise<string> => {
    const answer = await fetch(to, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    expect([to, answer.status]).toEqual([to, 303]);
    return new URL(answer.headers.get('location')!, to).href;
  };
  const bank = await submit(url, { type: 'person', method: 'ideal', countryCode: 'NL', ...payer });
  await submit(bank, { outcome: 'paid' });
}

test('a customer with invoices: the law keeps those and the record, all else goes, and the history says who did it', async () => {
  const email = 'sanne.uniek@example.nl';
  const customer = await post('/api/v1/customers', { name: 'Sanne Uniek', email, externalId: 'ext-uniek' }, 'sanne');
  const invoice = await post('/api/v1/invoices', { customerId: customer.id, lines, send: true }, 'invoice');
  const draft = await post('/api/v1/invoices', { customerId: customer.id, lines, send: false }, 'draft');
  // Not due yet: its first draft would come before or after the rest.
  const startDate = '2040-01-01';
  const schedule = await post('/api/v1/subscriptions', { customerId: customer.id, freq: 'monthly', startDate, lines });
  const details = { name: 'Sanne Uniek', email, externalId: 'ext-uniek' };
  const paid = await post('/api/v1/checkouts', { title: 'Betaald', lines, customer: details });
  const left = await post('/api/v1/checkouts', { title: 'Verlaten', lines, customer: details });
  await pay(paid.url, { name: 'Sanne Uniek', email });
  await waitFor(async () => {
    const found = await deliveriesOf(paid.id);
    return found.length > 0 && found.every((status) => status === 'delivered');
  }, 30_000);
  await waitFor(async () => (await platform.admin<object[]>('mail', 'list', '--to', email)).length === 2);

  const held = await platform.admin<Exported & { id: string }>('customer', 'export', customer.id);
  expect(held.id).toBe(customer.id);
  expect(Object.keys(held.data).sort()).toEqual([
    ...['billing.account_entries', 'billing.drafts', 'billing.invoices', 'billing.subscriptions', 'catalog.customers'],
    ...['catalog.history', 'checkout.sessions', 'gateway.idempotency', 'notification.deliveries', 'notification.mails'],
  ]);
  const ids = (kind: string): unknown[] => held.data[kind]!.map(({ _id }) => _id);
  expect(ids('billing.invoices')).toContain(invoice.id);
  expect(ids('billing.invoices')).toHaveLength(2);
  expect(ids('billing.drafts')).toContain(draft.id);
  expect(ids('billing.subscriptions')).toEqual([schedule.id]);
  expect(ids('checkout.sessions').sort()).toEqual([paid.id, left.id].sort());
  expect(JSON.stringify(held)).toContain(email);

  const out = join(platform.dataDir, 'export.json');
  await platform.admin('customer', 'export', customer.id, '--out', out);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(Object.keys((JSON.parse(readFileSync(out, 'utf8')) as Exported).data)).toEqual(Object.keys(held.data));

  const answer = await erase(customer.id);
  expect(answer).toMatchObject({ done: true, removed: false, invoicesKept: 2, postponed: {} });
  expect(await placesOf(email)).toEqual(['billing.invoices']);
  expect(await placesOf('ext-uniek')).toEqual([]);
  expect(await placesOf('Sanne Uniek')).toEqual(['billing.invoices', 'catalog.customers']);
  for (const gone of [schedule.id, left.id]) expect(await placesOf(`"_id":"${gone}"`)).toEqual([]);
  // Documents stay as they were issued, and prove themselves.
  const { series } = await platform.admin<{ series: { chainValid: boolean }[] }>('numbers', 'verify', '--org', org);
  expect(series.every(({ chainValid }) => chainValid)).toBe(true);
  expect((await api.post('/api/v1/invoices', { customerId: customer.id, lines })).status).toBe(400);
  // The repeat of a request learns what it made, and no more of whom.
  const repeated = await api.post(
    '/api/v1/customers',
    { name: 'Sanne Uniek', email, externalId: 'ext-uniek' },
    { 'idempotency-key': 'sanne' },
  );
  expect(repeated).toMatchObject({ status: 201, body: { data: { id: customer.id, name: 'erased', email: 'erased' } } });

  const { entries } = await platform.admin<History>('history', '--org', org, '--limit', '5');
  expect(entries.filter(({ action }) => action.startsWith('customer.eras'))).toMatchObject([
    { action: 'customer.erased', subject: { id: customer.id, label: 'erased' }, by: { kind: 'operator' } },
    { action: 'customer.erasure_begun', subject: { id: customer.id, label: 'erased' }, by: { kind: 'operator' } },
  ]);
  // Again, it finds nothing more to erase.
  expect(await erase(customer.id)).toMatchObject({ done: true, invoicesKept: 2, erased: { 'billing.drafts': 1 } });
  await expect(platform.admin('customer', 'update', customer.id, '--name', 'Weer Sanne')).rejects.toThrow(/erased/);
});

test('a customer without invoices is gone, and the next payer with the address is somebody new', async () => {
  const email = 'kees.vluchtig@example.nl';
  const customer = await post('/api/v1/customers', { name: 'Kees Vluchtig', email });
  expect(await erase(customer.id)).toMatchObject({ done: true, removed: true, invoicesKept: 0 });
  for (const text of [email, 'Kees Vluchtig']) expect(await placesOf(text)).toEqual([]);
  await expect(platform.admin('customer', 'show', customer.id)).rejects.toThrow();
  await expect(erase(customer.id)).rejects.toThrow();
  const checkout = await post('/api/v1/checkouts', { title: 'Later', lines });
  await pay(checkout.url, { name: 'Kees Vluchtig', email });
  await waitFor(async () => (await placesOf(email)).includes('billing.invoices'), 30_000);
  const { customers } = await platform.admin<{ customers: Made[] }>('customer', 'list', '--org', org, '--text', email);
  expect(customers.map(({ id }) => id)).not.toContain(customer.id);
  expect(customers).toHaveLength(1);
});

test('what is under way is left until it is over, and said; the next run ends it', async () => {
  const email = 'piet.onderweg@example.nl';
  const customer = await post('/api/v1/customers', { name: 'Piet Onderweg', email });
  const checkout = await post('/api/v1/checkouts', { title: 'Onderweg', lines, customer: { name: 'Piet', email } });
  const answer = await fetch(checkout.url, {
    method: 'POST',
    body: new URLSearchParams({ type: 'person', method: 'ideal', countryCode: 'NL', name: 'Piet', email }),
    redirect: 'manual',
  });
  const bank = new URL(answer.headers.get('location')!, checkout.url).href;
  expect(await erase(customer.id)).toMatchObject({
    done: false,
    removed: false,
    postponed: { 'checkout.sessions': 1 },
  });
  await fetch(bank, { method: 'POST', body: new URLSearchParams({ outcome: 'canceled' }), redirect: 'manual' });
  await waitFor(async () => (await erase(customer.id)).done, 20_000);
  expect(await placesOf(email)).toEqual([]);
});

const erase = (id: string): Promise<Erased> => platform.admin<Erased>('customer', 'erase', id);

/** Of each delivery that names a checkout: how it went. */
async function deliveriesOf(checkoutId: string): Promise<string[]> {
  const found = await connections['notification']!.db!.collection('deliveries').find().toArray();
  return found.filter(({ body }) => String(body).includes(checkoutId)).map(({ status }) => String(status));
}
