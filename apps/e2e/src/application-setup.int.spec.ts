import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchOptions, waitFor } from '@invoicing/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { lookerAt, pressTwice } from './application-look';
import { RunningPlatform } from './running-platform';

// What an organisation sets up for itself: its data and look, people, payment provider, keys and webhooks, subscriptions, payment links.

jest.setTimeout(240_000);

let platform: RunningPlatform;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let organizationId: string;
let customerId: string;
let receiver: Server;
const received: { headers: Record<string, unknown>; body: string }[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.end('thank you');
    });
  }).listen(0, '127.0.0.1');
  [platform, browser] = await Promise.all([
    RunningPlatform.start({ env: { PAGE_RATE_LIMIT_PER_MINUTE: '100000', ALLOW_LOOPBACK_TARGETS: 'true' } }),
    chromium.launch(launchOptions()),
  ]);
  ({ id: organizationId } = await platform.admin('org', 'create', '--name', 'Bakkerij De Maan', '--mode', 'test'));
  context = await signedIn('maan@example.nl', 'owner');
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(at('/customers/new'));
  await page.locator('#name').fill('Sterre de Boer');
  await page.locator('#email').fill('sterre@example.nl');
  await press('Save');
  await page.waitForURL(/customers\/[0-9a-f-]{36}/);
  customerId = /customers\/([0-9a-f-]{36})/.exec(page.url())![1]!;
});
afterAll(async () => {
  receiver?.close();
  await browser?.close();
  await platform?.close();
});

const at = (path: string): string => `${platform.url}/app/${organizationId}${path}`;
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = () => page.locator('h1').textContent();
const main = () => page.locator('main').textContent();
const alert = () => page.locator('[role=alert]').first().textContent();

async function signedIn(email: string, role: string): Promise<BrowserContext> {
  const { signInUrl } = await platform.admin<{ signInUrl: string }>(
    ...['user', 'invite', '--org', organizationId, '--email', email, '--role', role],
  );
  return accepting(signInUrl);
}

async function accepting(signInUrl: string): Promise<BrowserContext> {
  const made = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, isMobile: true, locale: 'en-GB' },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const first = await made.newPage();
  await first.goto(signInUrl);
  await first.locator('button').first().click();
  await first.waitForURL(/\/app\/[0-9a-f-]{36}$/);
  await first.close();
  return made;
}

const lookAt = lookerAt('setup');
/** Accessible and within the screen of a phone, in both themes. */
const look = (name: string): Promise<void> => lookAt(page, name);

test('the organisation: its data, and which days are closed', async () => {
  await page.goto(at('/settings/organization'));
  await look('organization');
  await page.locator('#iban').fill('NL00');
  await press('Save');
  expect(await page.locator('#iban-fault').textContent()).toContain('IBAN');
  await page.locator('#iban').fill('NL91 ABNA 0417 1643 00');
  await page.locator('#addressLine1').fill('Kerkstraat 1');
  await page.locator('#city').fill('Amsterdam');
  const other = await context.newPage();
  await other.goto(at('/settings/organization'));
  await other.locator('#phone').fill('+31 20 123 4567');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.waitForURL(/settings\?done=yes/);
  await other.close();
  await press('Save');
  expect(await alert()).toContain('Somebody else changed this');
  await page.goto(at('/settings/organization'));
  await page.locator('#iban').fill('NL91 ABNA 0417 1643 00');
  await page.locator('#addressLine1').fill('Kerkstraat 1');
  await press('Save');
  await page.waitForURL(/settings\?done=yes/);
  expect(await main()).toContain('NL91ABNA0417164300');
  expect(await main()).toContain('+31 20 123 4567');
  await look('settings');

  await page.goto(at('/settings/period'));
  await page.locator('#closedUntil').fill('2099-01-01');
  await press('Save');
  expect(await page.locator('#closedUntil-fault').textContent()).toContain('before today');
  await page.locator('#closedUntil').fill('2026-01-31');
  await press('Save');
  await page.waitForURL(/settings\?done=yes/);
  expect(await main()).toContain('31 Jan 2026');
});

test('a profile: logo, colour and numbers, seen while they are chosen', async () => {
  await page.goto(at('/settings'));
  await page.locator('tbody a').first().click();
  await page.locator('#numberFormat').fill('MAAN-{YYYY}-{SEQ:5}');
  await waitFor(async () => (await page.locator('[data-live]').textContent())?.includes('MAAN-2026-00001'));
  expect(await page.locator('[data-live] img').getAttribute('src')).toMatch(/^data:image\/svg\+xml;base64,/);
  await page
    .locator('#logo')
    .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await press('Save');
  expect(await page.locator('#logo-fault').textContent()).toContain('PNG or JPEG');
  expect(await page.locator('#numberFormat').inputValue()).toBe('MAAN-{YYYY}-{SEQ:5}');
  await page.locator('#accentColor').fill('#b91c1c');
  await page.locator('#startNumber').fill('101');
  await page.locator('#logo').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: PIXEL });
  await press('Save');
  await page.waitForURL(/settings\?done=yes/);
  await page.locator('tbody a').first().click();
  await waitFor(async () => (await page.locator('[data-live]').textContent())?.includes('MAAN-2026-00101'));
  expect(await page.locator('[name=removeLogo]').count()).toBe(1);
  await look('profile');
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a payment provider is connected and tried', async () => {
  await page.goto(at('/settings/provider'));
  await page.locator('#provider').selectOption('mollie');
  await page.locator('#apiKey').fill('live_0123456789012345678901234567');
  await press('Connect');
  expect(await page.locator('#apiKey-fault').textContent()).toContain('live');
  // Nothing that was typed as a key stands in a page.
  expect(await page.content()).not.toContain('0123456789012345678901234567');
  await look('provider');
  await page.locator('#provider').selectOption('sandbox');
  await press('Connect');
  await page.waitForURL(/settings\?done=yes/);
  await press('Test the connection');
  expect(await main()).toContain('It works');
  await page.goto(at('/settings/mail'));
  await press('Send a test mail to maan@example.nl');
  await page.waitForURL(/done=yes/);
  await look('mail');
  const list = await (await fetch(`${platform.url}/dev/mail`)).text();
  expect(list).toContain('Test mail');
  await page.goto(at('/settings/credits'));
  await look('credits');
});

test('people: invited by mail, given another role, taken out; never without an owner', async () => {
  await page.goto(at('/people/invite'));
  await look('invite');
  await page.locator('#email').fill('boek@example.nl');
  await page.locator('#role').selectOption('bookkeeper');
  await press('Send the invitation');
  await page.waitForURL(/people\?done=yes/);
  expect(await main()).toContain('Invited');
  // Whoever invites sees no link: it would sign in as somebody else.
  expect(await page.content()).not.toContain('/app/invitation/');
  const link = await waitFor(() => invitationMailedTo('boek@example.nl'), 20_000);
  const bookkeeper = await accepting(link);
  expect((await bookkeeper.request.get(at('/people/invite'))).status()).toBe(403);

  await page.goto(at('/people'));
  await look('people');
  await page.getByRole('link', { name: 'boek@example.nl' }).click();
  await look('member');
  await page.locator('#role').selectOption('viewer');
  await press('Change the role');
  await page.waitForURL(/done=yes/);
  expect((await bookkeeper.request.get(at('/history'))).status()).toBe(403);
  await page.getByRole('link', { name: 'boek@example.nl' }).click();
  await press('Take out of the organisation');
  await page.waitForURL(/done=yes/);
  expect((await bookkeeper.request.get(at('/settings'))).status()).toBe(404);
  await page.getByRole('link', { name: 'maan@example.nl', exact: true }).click();
  await press('Take out of the organisation');
  expect(await alert()).toContain('owner');
});

async function invitationMailedTo(address: string): Promise<string | undefined> {
  const list = await (await fetch(`${platform.url}/dev/mail`)).text();
  const row = list.split('<li>').find((each) => each.includes(address));
  const [, message] = /href="([^"]+)"/.exec(row ?? '') ?? [];
  if (!message) return undefined;
  const text = await (await fetch(`${platform.url}${message}`)).text();
  return /http:\/\/[^\s"'<>&]+\/app\/invitation\/[\w-]+/.exec(text)?.[0];
}

test('an API key is shown once, works, is looked up in the request log, and is revoked', async () => {
  await page.goto(at('/keys/new'));
  await press('Make the key');
  expect(await page.locator('#scopes-fault').textContent()).toBe('is required');
  await look('key-new');
  await page.locator('[name=scopes][value="invoices:read"]').check();
  await press('Make the key');
  const key = await page.locator('[data-copy] input').inputValue();
  expect(key).toMatch(/^ik_test_/);
  await press('Copy');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  await look('key-made');
  const ask = (path: string) =>
    fetch(`${platform.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}`, 'x-request-id': 'asked-1' } });
  expect((await ask('invoices?note=secret-query')).status).toBe(200);
  expect((await ask('customers')).status).toBe(403);
  await page.goto(at('/keys'));
  await page.locator('tbody a').first().click();
  expect(await page.content()).not.toContain(key);
  await look('key');

  await waitFor(async () => {
    await page.goto(at('/requests?q=asked-1'));
    return (await page.locator('tbody tr').count()) === 2;
  }, 20_000);
  expect(await main()).toMatch(/GET \/api\/v1\/invoices/);
  expect(await main()).toContain('403 forbidden');
  expect(await main()).not.toContain('secret-query');
  await look('requests');
  await page.goto(at('/requests?failed=yes'));
  expect(await page.locator('tbody tr').count()).toBe(1);

  await page.goto(at('/keys'));
  await page.locator('tbody a').first().click();
  await press('Revoke');
  await page.waitForURL(/keys\?done=yes/);
  await waitFor(async () => (await ask('invoices')).status === 401, 20_000);
});

test('a webhook: made, tried, its secret rotated, disabled and enabled again', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await page.goto(at('/webhooks/new'));
  await page.locator('#url').fill('ftp://example.nl');
  await press('Make the endpoint');
  expect(await page.locator('#url-fault').textContent()).not.toBe('');
  await look('webhook-new');
  await page.locator('#url').fill(url);
  await press('Make the endpoint');
  const secret = await page.locator('[data-copy] input').inputValue();
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('link', { name: 'To the endpoint' }).click();
  await press('Send a test event');
  await page.waitForURL(/done=yes/);
  await waitFor(async () => {
    await page.reload();
    return (await page.locator('tbody').textContent())?.includes('Delivered');
  }, 20_000);
  expect(received).toHaveLength(1);
  await look('webhook');
  await page.locator('tbody a').first().click();
  expect(await main()).toContain('"type": "webhook.test"');
  expect(await main()).toContain('thank you');
  await look('delivery');
  await press('Send again');
  await waitFor(() => received.length === 2, 20_000);
  expect(received[1]!.body).toBe(received[0]!.body);

  await page.goto(page.url().replace(/\/deliveries.*/, ''));
  const here = page.url();
  await press('New secret; the old one ends now');
  expect(await page.locator('[data-copy] input').inputValue()).not.toBe(secret);
  await page.goto(here);
  for (const box of await page.locator('[name=events]').all()) await box.uncheck();
  await press('Save');
  expect(await page.locator('#events-fault').textContent()).not.toBe('');
  await page.goto(here);
  await press('Disable');
  expect(await main()).toContain('Somebody disabled it');
  await press('Enable, and send what was missed');
  expect(await main()).toContain('Active');
});

test('a product, which subscriptions and payment links find', async () => {
  await page.goto(at('/products/new'));
  await page.locator('#name').fill('Hosting');
  await page.locator('#unitPriceCents').fill('10');
  await press('Save');
  await page.waitForURL(/done=yes/);
});

test('a subscription: its next six invoices before it is saved; changed, paused, resumed, ended', async () => {
  await page.goto(at(`/subscriptions/new?customer=${customerId}`));
  await page.locator('[id="lines.0.description"]').fill('Onderhoud');
  await page.locator('[id="lines.0.unitPriceCents"]').fill('100');
  await waitFor(async () => (await page.locator('[data-live] tbody tr').count()) === 6);
  expect(await page.locator('[data-live]').textContent()).toContain('€121.00');
  await page.locator('#interval').fill('0');
  await press('Save');
  expect(await page.locator('#interval-fault').textContent()).toContain('1 to 100');
  await look('subscription-new');
  await page.locator('#interval').fill('2');
  await pressTwice(page.getByRole('button', { name: 'Save' }).last());
  await page.waitForURL(/subscriptions\/[0-9a-f-]{36}\?done=yes/);
  expect(await heading()).toBe('Sterre de Boer');
  expect(await page.locator('[data-live] tbody tr').count()).toBe(6);
  expect(await main()).toContain('Who has no VAT number charges no VAT');
  await look('subscription');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.locator('[id="lines.0.unitPriceCents"]').fill('200');
  await waitFor(async () => (await page.locator('[data-live]').textContent())?.includes('€242.00'));
  await page.locator('#productSearch').fill('host');
  await page
    .locator('#product-choices')
    .getByRole('button', { name: /Hosting/ })
    .click();
  expect(await page.locator('legend').last().textContent()).toBe('Line 2 · Hosting');
  expect(await page.locator('[id="lines.1.unitPriceCents"]').inputValue()).toBe('');
  expect(await page.locator('[data-live]').textContent()).toContain('€254.10');
  await look('subscription-edit');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await page.waitForURL(/\?done=yes/);
  expect(await page.locator('[data-live]').textContent()).toContain('€254.10');
  expect(await main()).toContain('Who has no VAT number charges no VAT');
  const subscription = page.url().replace(/\?.*/, '');
  await page.goto(at('/products/new'));
  await page.locator('#name').fill('Hosting, nieuw');
  await page.locator('#unitPriceCents').fill('20');
  await press('Save');
  await page.waitForURL(/done=yes/);
  await page.goto(at('/products'));
  await page.getByRole('link', { name: 'Hosting', exact: true }).click();
  await page.getByRole('link', { name: 'Merge…' }).click();
  await look('merge-products');
  await press('This one stays');
  await page.waitForURL(/done=yes/);
  expect(await heading()).toBe('Hosting, nieuw');
  await page.goto(subscription);
  expect(await page.locator('[data-live]').textContent()).toContain('€266.20');
  const [, subscriptionId = ''] = /subscriptions\/([0-9a-f-]{36})/.exec(subscription) ?? [];
  const told = await platform.admin<{ warnings: { code: string }[] }>(
    ...['subscription', 'update', subscriptionId, '--unit-price-cents', '20000'],
  );
  expect(told.warnings.map(({ code }) => code)).toEqual(['vat_without_vat_id']);
  await page.goto(at(`/subscriptions/${subscriptionId}?done=yes&warned=constructor,__proto__,bad+news`));
  expect(await main()).toContain('Done.');
  await press('Pause');
  expect(await main()).toContain('Paused');
  await press('Resume');
  expect(await main()).toContain('Active');
  await press('End for good');
  expect(await main()).toContain('Ended');
  await page.goto(at('/subscriptions'));
  expect(await page.locator('tbody tr').count()).toBe(1);
  await look('subscriptions');
});

test('a payment link: its amount while it is typed, its QR code, and who tried to pay', async () => {
  await page.goto(at('/checkouts/new'));
  await page.locator('#title').fill('Workshop');
  await page.locator('[id="lines.0.description"]').fill('Workshop');
  await page.locator('[id="lines.0.unitPriceCents"]').fill('50');
  await waitFor(async () => (await page.locator('[data-live]').textContent())?.includes('€50.00'));
  await page.locator('#productSearch').fill('nothing of the kind');
  await page.locator('#product-choices', { hasText: 'No product found.' }).waitFor();
  await page.locator('#productSearch').fill('host');
  await page
    .locator('#product-choices')
    .getByRole('button', { name: /Hosting/ })
    .click();
  expect(await page.locator('[id="lines.1.description"]').inputValue()).toBe('Hosting, nieuw');
  expect(await page.locator('[data-live]').textContent()).toContain('€70.00');
  await page.locator('#email').fill('no address');
  await press('Make the link');
  expect(await page.locator('#email-fault').count()).toBe(1);
  await look('checkout-new');
  await page.locator('#email').fill('payer@example.nl');
  await pressTwice(page.getByRole('button', { name: 'Make the link' }).last());
  await page.waitForURL(/checkouts\/[0-9a-f-]{36}\?done=yes/);
  expect(await main()).toContain('Who has no VAT number charges no VAT');
  const link = await page.locator('[data-copy] input').inputValue();
  expect(await page.locator('img.picture').getAttribute('alt')).toBe('QR code of the link');
  await look('checkout');
  const here = page.url();
  const payer = await browser.newPage();
  await payer.goto(link);
  expect(await payer.content()).toContain('Workshop');
  await payer.close();
  await page.goto(at('/checkouts'));
  expect(await page.locator('tbody tr').count()).toBe(1);
  await look('checkouts');
  await page.goto(here);
});

test('a payment link is cancelled: nobody can pay it any more, and pressing again changes nothing', async () => {
  const link = await page.locator('[data-copy] input').inputValue();
  const here = page.url();
  const payer = await browser.newPage();
  await payer.goto(link);
  expect(await payer.locator('form').count()).toBeGreaterThan(0);
  const elsewhere = await context.newPage();
  await elsewhere.goto(here);
  await pressTwice(page.getByRole('button', { name: 'Cancel the link' }));
  await page.waitForURL(/done=yes/);
  expect(await main()).toContain('Expired');
  expect(await page.getByRole('button', { name: 'Cancel the link' }).count()).toBe(0);
  expect(await page.locator('[data-copy]').count()).toBe(0);
  await look('checkout-cancelled');
  await elsewhere.getByRole('button', { name: 'Cancel the link' }).click();
  await elsewhere.waitForURL(/done=yes/);
  await elsewhere.close();
  await payer.reload();
  expect(await payer.locator('form').count()).toBe(0);
  await payer.close();
});

test('a live organisation names itself and its key to the access point; what does not fit is said beside its field, the key never shown again', async () => {
  const { id } = await platform.admin('org', 'create', '--name', 'Bakkerij De Ster', '--mode', 'live');
  const { signInUrl } = await platform.admin<{ signInUrl: string }>(
    ...['user', 'invite', '--org', id!, '--email', 'ster@example.nl', '--role', 'owner'],
  );
  const live = await accepting(signInUrl);
  const form = await live.newPage();
  await form.goto(`${platform.url}/app/${id}/settings/peppol`);
  await lookAt(form, 'access-point');
  await form.locator('#senderId').fill('our company');
  await form.locator('#apiKey').fill('0123456789-secret');
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  expect(await form.locator('#senderId-fault').textContent()).toContain('number');
  expect(await form.locator('#senderId').inputValue()).toBe('our company');
  expect(await form.content()).not.toContain('0123456789-secret');
  await lookAt(form, 'access-point-refused');
  await live.close();
});
