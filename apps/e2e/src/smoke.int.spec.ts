import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { Api } from './api';
import { RunningPlatform } from './running-platform';

// From nothing to an issued, e-mailed invoice, through the front door; and again after a restart.

jest.setTimeout(120_000);

interface Created {
  data: { id: string };
}
interface Issued {
  data: { id: string; number: string; public_token: string; emailed: boolean; emailError: string | null };
}
interface Listed {
  data: { id: string; number: string; status: string; total_incl: number }[];
}

let platform: RunningPlatform;
let dataDir: string;
let api: Api;
let apiKey: string;
let customerId: string;
let productId: string;

beforeAll(async () => {
  platform = await RunningPlatform.start();
  dataDir = platform.dataDir;
  const org = await platform.admin(
    ...['org', 'create', '--name', 'Bakkerij De Zon', '--kvk-number', '12345678', '--btw-id', 'NL001234567B01'],
    ...['--iban', 'NL91ABNA0417164300', '--mode', 'test'],
  );
  apiKey = (await platform.admin<{ key: string }>('key', 'create', '--org', org['id']!, '--scopes', 'all')).key;
  api = new Api(platform.url, apiKey);
});

afterAll(() => platform.close());

test('a customer and a product are created', async () => {
  const customer = await api.post<Created>('/api/v1/customers', {
    name: 'Jan Jansen',
    email: 'jan@example.nl',
    countryCode: 'NL',
  });
  expect(customer.status).toBe(201);
  customerId = customer.body.data.id;
  const product = await api.post<Created>('/api/v1/products', { name: 'Brood', unitPriceCents: 350, vatRateBps: 900 });
  expect(product.status).toBe(201);
  productId = product.body.data.id;
});

test('an invoice is issued, numbered and e-mailed', async () => {
  const issued = await api.post<Issued>('/api/v1/invoices', {
    customerId,
    lines: [
      { productId, quantity: 3 },
      { description: 'Bezorgen', unitPriceCents: 1000 },
    ],
    send: true,
  });
  expect(issued.body).toMatchObject({ data: { emailed: true, emailError: null } });
  expect(issued.status).toBe(201);
  expect(issued.body.data.number).toBe(`${new Date().getFullYear()}-0001`);

  // 3 × 3.50 at 9 % and 10.00 at 21 %: 1145 + 1210.
  const list = await api.get<Listed>('/api/v1/invoices');
  expect(list.body.data[0]).toMatchObject({ id: issued.body.data.id, status: 'sent', total_incl: 1145 + 1210 });
});

test('the message lies in the mailbox with the PDF', async () => {
  const folder = join(dataDir, 'mail');
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  const message = await PostalMime.parse(readFileSync(join(folder, file!)));
  expect(message.to?.[0]?.address).toBe('jan@example.nl');
  const pdf = message.attachments.find(({ mimeType }) => mimeType === 'application/pdf')!;
  expect(
    Buffer.from(pdf.content as ArrayBuffer)
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const inbox = await fetch(`${platform.url}/dev/mail`);
  expect(inbox.status).toBe(200);
  expect(await inbox.text()).toContain('jan@example.nl');
});

test('bad input is refused as the API document says', async () => {
  expect((await new Api(platform.url, 'ik_test_unknown').get('/api/v1/me')).body).toEqual({ error: 'unauthorized' });
  const foreign = await api.post<{ error: string; details: { path: string }[] }>('/api/v1/invoices', {
    customerId: '00000000-0000-4000-8000-000000000000',
    lines: [{ unitPriceCents: 100, productId: '00000000-0000-4000-8000-000000000001' }],
  });
  expect(foreign.status).toBe(400);
  expect(foreign.body.error).toBe('validation');
  expect(foreign.body.details.map(({ path }) => path).sort()).toEqual(['/customerId', '/lines/0/productId']);
});

test('numbers verify', async () => {
  const { series } = await platform.admin<{ series: { count: number; gapless: boolean; chainValid: boolean }[] }>(
    'numbers',
    'verify',
  );
  expect(series).toEqual([expect.objectContaining({ count: 1, gapless: true, chainValid: true })]);
});

test('what leaves secrets is readable by the owner alone', () => {
  expect(statSync(join(dataDir, 'platform.json')).mode & 0o777).toBe(0o600);
});

test('a second platform in the same folder refuses, and the first is still found', async () => {
  await expect(RunningPlatform.start({ dataDir })).rejects.toThrow(`already running at ${platform.url}`);
  expect(await platform.admin('status')).toMatchObject({ status: 'ok' });
});

test('everything is still there after a restart', async () => {
  await platform.stop();
  const again = await RunningPlatform.start({ dataDir });
  try {
    const list = await new Api(again.url, apiKey).get<Listed>('/api/v1/invoices');
    expect(list.body.data).toHaveLength(1);
  } finally {
    await again.stop();
  }
});
