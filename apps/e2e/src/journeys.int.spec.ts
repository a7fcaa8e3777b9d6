import { chromium } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { launchOptions, waitFor } from '@invoicing/testing';
import { Api } from './api';
import { deliveredMail } from './delivered-mail';
import { RunningPlatform } from './running-platform';
import { startReceiver } from './webhook-receiver';

// What organisations do, from end to end, through the front door and the operator's command line.

jest.setTimeout(120_000);

interface Data<T> {
  data: T;
}
interface Checkout {
  id: string;
  status: string;
  url: string;
  amountIncl: number;
}
interface Issued {
  id: string;
  number: string;
  public_token: string;
  emailed: boolean;
  emailError: string | null;
}
interface Listed {
  id: string;
  status: string;
  total_incl: number;
  public_token: string;
}

/** What nobody who has paid may be told. */
const DEMAND =
  /en betalen|and pay|uiterlijk|te betalen (voor|€ *[1-9])|amount due *€[1-9]|vervaldatum|due date|IBAN|bank-app|bank app/i;

let platform: RunningPlatform;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let orgId: string;
let webhookSecret: string;
let api: Api;
let customerId: string;

const keyFor = async (...flags: string[]): Promise<{ id: string; api: Api }> => {
  const { id, key } = await platform.admin<{ id: string; key: string }>('key', 'create', ...flags);
  return { id, api: new Api(platform.url, key) };
};

beforeAll(async () => {
  // The journeys of one organisation go through one key; their number is not what is tested here.
  platform = await RunningPlatform.start({
    env: { RATE_LIMIT_PER_MINUTE: '1000', PAGE_RATE_LIMIT_PER_MINUTE: '1000' },
  });
  receiver = await startReceiver();
  const org = await platform.admin(
    ...['org', 'create', '--name', 'Bakkerij De Zon', '--kvk-number', '12345678', '--btw-id', 'NL001234567B01'],
    ...[
      '--iban',
      'NL91ABNA0417164300',
      '--address-line1',
      'Zonnestraat 12',
      '--postal-code',
      '3512 AB',
      '--city',
      'Utrecht',
      '--mode',
      'test',
    ],
  );
  orgId = org['id']!;
  await platform.admin('provider', 'connect', '--org', orgId, '--provider', 'sandbox');
  webhookSecret = (
    await platform.admin('webhook', 'create', '--org', orgId, '--url', receiver.url, '--events', 'invoice.paid')
  )['secret']!;
  api = (await keyFor('--org', orgId, '--scopes', 'all')).api;
  customerId = (
    await api.post<Data<{ id: string }>>('/api/v1/customers', { name: 'Jan Jansen', email: 'jan@example.nl' })
  ).body.data.id;
});

afterAll(async () => {
  receiver?.close();
  await platform?.close();
});

test('a payer pays a checkout in a browser, in English: one invoice, one e-mail, one signed webhook', async () => {
  const created = await api.post<Data<Checkout>>('/api/v1/checkouts', {
    title: 'Workshop brood bakken',
    lines: [{ description: 'Workshop', quantity: 2, unitPriceCents: 6500 }],
    redirectUrl: `${platform.url}/docs`,
  });
  expect(created.status).toBe(201);
  expect(created.body.data).toMatchObject({ status: 'open', amountIncl: 15730 });

  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage({ locale: 'nl-NL' });
    await page.goto(created.body.data.url);
    // The choice on the page counts, not the browser's language and not the country that is filled in.
    await page.getByRole('button', { name: 'English' }).click();
    await page.fill('input[name=name]', 'Sanne de Wit');
    await page.fill('input[name=email]', 'sanne@example.nl');
    await page.locator('input[name=method][value=ideal]').check({ force: true });
    await page.locator('main form button[type=submit], main form button:not([type])').last().click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await page.locator('button[value=paid]').click();
    await page.waitForURL(/\/(c|docs)/);
  } finally {
    await browser.close();
  }

  const hook = await waitFor(() => receiver.received[0], 15_000);
  const event = new Webhook(webhookSecret).verify(hook.body, hook.headers as Record<string, string>) as {
    type: string;
    data: {
      invoiceId: string;
      totalIncl: number;
      checkoutId: string;
      payment: { provider: string; method: string; amountCents: number };
    };
  };
  expect(event).toMatchObject({
    type: 'invoice.paid',
    data: {
      totalIncl: 15730,
      currency: 'EUR',
      checkoutId: created.body.data.id,
      payment: { provider: 'sandbox', method: 'ideal', amountCents: 15730 },
    },
  });
  const checkouts = await api.get<Data<Checkout[]>>('/api/v1/checkouts');
  expect(checkouts.body.data[0]).toMatchObject({ id: created.body.data.id, status: 'paid' });
  const invoices = await api.get<Data<Listed[]>>('/api/v1/invoices');
  expect(invoices.body.data[0]).toMatchObject({ id: event.data.invoiceId, status: 'paid', total_incl: 15730 });
  await waitFor(async () => (await deliveredMail(platform.dataDir, 'sanne@example.nl')).length > 0, 15_000);
  const mails = await deliveredMail(platform.dataDir, 'sanne@example.nl');
  expect(mails).toHaveLength(1);
  const { subject, html, text, pdf } = mails[0]!;
  expect(subject).toMatch(/^\[TEST\] Invoice .* from Bakkerij De Zon$/);
  for (const body of [html, text]) expect(body).toContain('Thank you for your payment.');
  expect(pdf).toMatch(/Paid on \d+ \w+ \d{4} by iDEAL\. There is nothing left to pay\./);
  expect(pdf).toMatch(/Still to pay ?€0\.00/);
  const shown = await (await fetch(`${platform.url}/p/${invoices.body.data[0]!.public_token}`)).text();
  expect(shown).toMatch(/Paid on \d+ \w+ \d{4} by iDEAL/);
  for (const words of [html, text, pdf, shown]) expect(words).not.toMatch(DEMAND);
});

test('the invoice of a checkout names and reaches the payer, whatever is stored of the customer', async () => {
  const btwId = 'NL001234567B01';
  const stored = await api.post<Data<{ id: string }>>('/api/v1/customers', {
    name: 'Inkoop',
    companyName: 'Oude naam',
    btwId,
    email: 'stored@example.nl',
  });
  const created = await api.post<Data<Checkout>>('/api/v1/checkouts', {
    title: 'Taart',
    lines: [{ unitPriceCents: 5000 }],
  });
  const payer = {
    type: 'company',
    name: 'Piet',
    companyName: 'Nieuwe naam',
    btwId,
    email: 'payer@example.nl',
    countryCode: 'NL',
  };
  const submit = (url: string, fields: Record<string, string>): Promise<Response> =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const sent = await submit(created.body.data.url, { method: 'ideal', ...payer });
  await submit(new URL(sent.headers.get('location')!, created.body.data.url).href, { outcome: 'paid' });

  const isSent = async () => {
    const [mail] = await platform.admin<{ status: string }[]>('mail', 'list', '--to', 'payer@example.nl');
    return mail?.status === 'sent';
  };
  await waitFor(isSent, 15_000);
  const [delivered] = await deliveredMail(platform.dataDir, 'payer@example.nl');
  const { html, text, pdf } = delivered!;
  for (const words of [html, text]) expect(words).toContain('Bedankt voor uw betaling.');
  expect(pdf).toMatch(/Betaald op \d+ \w+ \d{4} via iDEAL\. U hoeft niets meer te betalen\./);
  expect(pdf).toMatch(/Nog te betalen ?€ 0,00/);
  for (const words of [html, text, pdf]) expect(words).not.toMatch(DEMAND);
  const { body } = await api.get<Data<(Listed & { customer_id: string })[]>>('/api/v1/invoices');
  expect(body.data[0]).toMatchObject({ customer_id: stored.body.data.id, total_incl: 6050 });
  expect(await platform.admin('invoice', 'show', body.data[0]!.id)).toMatchObject({
    buyer: { companyName: 'Nieuwe naam', email: 'payer@example.nl' },
  });
});

test('an invoice is paid online from its public page', async () => {
  const before = receiver.received.length;
  const issued = await api.post<Data<Issued>>('/api/v1/invoices', {
    customerId,
    lines: [{ unitPriceCents: 10000 }],
    send: true,
  });
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage();
    await page.goto(`${platform.url}/p/${issued.body.data.public_token}`);
    await page.locator('a[href*="/c/i/"]').first().click();
    await page.locator('input[name=method][value=ideal]').check({ force: true });
    await page.locator('main form button[type=submit], main form button:not([type])').last().click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await page.locator('button[value=paid]').click();
    await page.waitForURL(/\/(c|p)\//);
  } finally {
    await browser.close();
  }
  // That of the invoice before may only be coming in now.
  const mine = ({ body }: { body: string }): boolean => body.includes(issued.body.data.id);
  const hook = await waitFor(() => receiver.received.slice(before).find(mine), 15_000);
  expect(JSON.parse(hook.body)).toMatchObject({
    type: 'invoice.paid',
    data: { invoiceId: issued.body.data.id, totalIncl: 12100 },
  });
  const listed = await api.get<Data<Listed[]>>('/api/v1/invoices');
  expect(listed.body.data.find(({ id }) => id === issued.body.data.id)).toMatchObject({ status: 'paid' });
});

test('documents of an invoice are served by its public token', async () => {
  const issued = await api.post<Data<Issued>>('/api/v1/invoices', {
    customerId,
    lines: [{ unitPriceCents: 2500 }],
    send: true,
  });
  const page = `${platform.url}/p/${issued.body.data.public_token}`;
  const pdf = await fetch(`${page}/invoice.pdf`);
  expect(pdf.headers.get('content-type')).toContain('application/pdf');
  expect(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const unknown = await fetch(`${platform.url}/p/${'x'.repeat(32)}`);
  expect(unknown.status).toBe(404);
});

test('arrears block sending, not drafting; paying again lifts them', async () => {
  await platform.admin('org', 'set', orgId, '--billing-status', 'arrears');
  const body = { customerId, lines: [{ unitPriceCents: 100 }] };
  await waitFor(async () => (await api.post('/api/v1/invoices', { ...body, send: true })).status === 402);
  expect((await api.post('/api/v1/invoices', { ...body, send: true })).body).toEqual({ error: 'billing_readonly' });
  const draft = await api.post<Data<Issued>>('/api/v1/invoices', body);
  expect(draft.body.data).toMatchObject({
    emailed: false,
    emailError: 'draft',
    number: expect.stringMatching(/^CONCEPT-[0-9A-F]{8}$/),
  });
  await platform.admin('org', 'set', orgId, '--billing-status', 'active');
  const issued = await platform.admin('invoice', 'issue', draft.body.data.id);
  expect(issued).toMatchObject({ emailed: true });
  expect(await platform.admin('invoice', 'show', draft.body.data.id)).toMatchObject({
    status: 'sent',
    number: issued['number'],
  });
});

test('an operator credits an invoice; numbers stay whole', async () => {
  const issued = await api.post<Data<Issued>>('/api/v1/invoices', {
    customerId,
    lines: [{ unitPriceCents: 5000, quantity: 2 }],
    send: true,
  });
  const credit = await platform.admin('invoice', 'credit', issued.body.data.id, '--reason', 'Verkeerd geleverd');
  expect(await platform.admin('invoice', 'show', credit['id']!)).toMatchObject({
    kind: 'credit_note',
    creditedNumber: issued.body.data.number,
  });
  const { series } = await platform.admin<{ series: { gapless: boolean; chainValid: boolean }[] }>('numbers', 'verify');
  expect(series.length).toBeGreaterThanOrEqual(2);
  expect(series.every(({ gapless, chainValid }) => gapless && chainValid)).toBe(true);
});

test('subscriptions make each period exactly once', async () => {
  const made = await api.post<Data<{ id: string; nextRunDate: string }>>('/api/v1/subscriptions', {
    customerId,
    freq: 'monthly',
    autoSendEmail: true,
    lines: [{ description: 'Abonnement', unitPriceCents: 1500 }],
    startDate: '2027-01-31',
  });
  expect(made.status).toBe(201);
  const first = await platform.admin<{ invoices: string[] }>('subscriptions', 'run', '--as-of', '2027-04-01');
  expect(first.invoices).toHaveLength(3);
  const again = await platform.admin<{ invoices: string[] }>('subscriptions', 'run', '--as-of', '2027-04-01');
  expect(again.invoices).toHaveLength(0);
  const dates = await Promise.all(first.invoices.map((id) => platform.admin('invoice', 'show', id)));
  expect(dates.map((each) => each['issueDate']).sort()).toEqual(['2027-01-31', '2027-02-28', '2027-03-31']);
});

test('credits are for the platform alone', async () => {
  const billing = await keyFor('--platform');
  const granted = await billing.api.post<Data<{ balance: number }>>(
    '/api/v1/credits',
    { orgId, credits: 25, reason: 'top-up' },
    { 'idempotency-key': 'top-up-1' },
  );
  expect(granted).toMatchObject({ status: 201, body: { data: { orgId, credits: 25, balance: 25, reason: 'top-up' } } });
  const replay = await billing.api.post(
    '/api/v1/credits',
    { orgId, credits: 25, reason: 'top-up' },
    { 'idempotency-key': 'top-up-1' },
  );
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  expect(await platform.admin('credits', 'balance', '--org', orgId)).toMatchObject({ balance: 25 });
  expect((await api.post('/api/v1/credits', { orgId, credits: 1 })).status).toBe(403);
  expect(
    (await billing.api.post('/api/v1/credits', { orgId: '00000000-0000-4000-8000-000000000000', credits: 1 })).status,
  ).toBe(400);
});

test('revoked keys, plans without API and maintenance take effect within two seconds', async () => {
  const { id, api: other } = await keyFor('--org', orgId, '--scopes', 'invoices:read');
  expect((await other.get('/api/v1/invoices')).status).toBe(200);
  expect((await other.get('/api/v1/customers')).status).toBe(403);
  await platform.admin('key', 'revoke', id);
  await waitFor(async () => (await other.get('/api/v1/invoices')).status === 401, 2_500);

  await platform.admin('maintenance', 'on');
  await waitFor(async () => (await api.get('/api/v1/me')).status === 501, 2_500);
  await platform.admin('maintenance', 'off');
  await waitFor(async () => (await api.get('/api/v1/me')).status === 200, 2_500);

  await platform.admin('org', 'set', orgId, '--plan', 'free');
  await waitFor(async () => (await api.get('/api/v1/me')).status === 402, 2_500);
  await platform.admin('org', 'set', orgId, '--plan', 'standard');
  await waitFor(async () => (await api.get('/api/v1/me')).status === 200, 2_500);
});

test('every verb of the webhook noun works', async () => {
  const [endpoint] = await platform.admin<{ id: string }[]>('webhook', 'list', '--org', orgId);
  const deliveries = await platform.admin<{ id: string; status: string; attempts: { status: number }[] }[]>(
    'webhook',
    'deliveries',
    '--org',
    orgId,
  );
  expect(deliveries[0]).toMatchObject({ status: 'delivered', attempts: [{ status: 204 }] });
  const before = receiver.received.length;
  await platform.admin('webhook', 'redeliver', deliveries[0]!.id);
  await waitFor(() => receiver.received.length > before);
  const rotated = await platform.admin('webhook', 'rotate-secret', endpoint!.id);
  expect(rotated['secret']).toMatch(/^whsec_/);
  await platform.admin('webhook', 'test', endpoint!.id);
  const hook = await waitFor(() => receiver.received[before + 1]);
  // Both secrets sign while the old one is being replaced.
  for (const secret of [webhookSecret, rotated['secret']!]) {
    expect(() => new Webhook(secret).verify(hook.body, hook.headers as Record<string, string>)).not.toThrow();
  }
  await platform.admin('webhook', 'disable', endpoint!.id);
});
