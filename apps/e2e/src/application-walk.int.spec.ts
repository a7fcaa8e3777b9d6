import { join, resolve } from 'node:path';
import { launchOptions, waitFor } from '@invoicing/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { lookerAt, pressTwice } from './application-look';
import { RunningPlatform } from './running-platform';

// The first minutes of somebody who was invited into a new organisation, by the list that says what to do first; and what their bookkeeper
// does then: the bank, reminders, the VAT return, closing the books.

jest.setTimeout(240_000);

const PICTURES = resolve(__dirname, '../../../docs/pictures');

let platform: RunningPlatform;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let home: string;

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
const main = () => page.locator('main').textContent();

beforeAll(async () => {
  [platform, browser] = await Promise.all([
    // Nobody answers there: VIES is away.
    RunningPlatform.start({ env: { PAGE_RATE_LIMIT_PER_MINUTE: '100000', VIES_URL: 'http://127.0.0.1:1' } }),
    chromium.launch(launchOptions()),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

const lookAt = lookerAt('walk');
/** Accessible and within the screen of a phone, in both themes. */
const look = (name: string): Promise<void> => lookAt(page, name);

test('from an invitation to a first invoice that was sent, by the list that ticks itself off', async () => {
  const { id } = await platform.admin<{ id: string }>('org', 'create', '--name', 'Atelier Zomer', '--mode', 'test');
  const { signInUrl } = await platform.admin<{ signInUrl: string }>(
    ...['user', 'invite', '--org', id, '--email', 'zomer@example.nl', '--role', 'owner'],
  );
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, locale: 'en-GB' });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  home = `${platform.url}/app/${id}`;
  const listed = () => page.locator('section', { hasText: 'To your first invoice' }).textContent();

  await page.goto(signInUrl);
  await look('1-invitation');
  await press('Accept and sign in');
  await page.waitForURL(home);
  expect(await listed()).toContain('0 of 5 done');
  await look('2-home');

  await follow('Say who you are: address and bank account');
  await page.locator('#addressLine1').fill('Kerkstraat 1');
  await page.locator('#postalCode').fill('1017 GB');
  await page.locator('#city').fill('Amsterdam');
  await page.locator('#btwId').fill('NL001234567B01');
  await page.locator('#kvkNumber').fill('12345678');
  await page.locator('#iban').fill('NL91 ABNA 0417 1643 00');
  await page.locator('#email').fill('zomer@example.nl');
  await look('3-company');
  await press('Save');
  await page.waitForURL(/settings\?done=yes/);
  await page.goto(home);
  expect(await listed()).toContain('1 of 5 done');

  await follow('Connect a payment provider');
  await press('Connect');
  await page.waitForURL(/settings\?done=yes/);
  await page.goto(home);
  await follow('Add your first customer');
  await page.locator('#name').fill('Sterre de Boer');
  await page.locator('#email').fill('sterre@example.nl');
  await press('Save');
  await page.waitForURL(/customers\/[0-9a-f-]{36}/);
  await follow('New invoice');
  await page.locator('[id="lines.0.description"]').fill('Portret, olieverf');
  await page.locator('[id="lines.0.unitPriceCents"]').fill('450');
  await look('4-draft');
  await press('Save and send…');
  await page.waitForURL(/issue$/);
  await look('5-send');
  await press('Issue and e-mail');
  await page.waitForURL(/invoices\/[0-9a-f-]{36}\?done=yes/);
  expect(await page.locator('h1').textContent()).toMatch(/^\d{4}-0001$/);
  await look('6-sent');
  const mails = await platform.admin<{ to: string }[]>('mail', 'list', '--to', 'sterre@example.nl');
  expect(mails).toHaveLength(1);

  await page.goto(home);
  expect(await listed()).toContain('4 of 5 done');
  await look('7-home');
});

/** `UPDATE_DOCS=1` takes the pictures of docs/application.md anew. */
async function picture(name: string): Promise<void> {
  if (process.env['UPDATE_DOCS']) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** A document that was issued and e-mailed, by the pages. Answers its number. */
async function sent(description: string, price: string): Promise<string> {
  await page.goto(`${home}/invoices/new`);
  await page.locator('#customerId').selectOption({ label: 'Sterre de Boer' });
  await page.locator('[id="lines.0.description"]').fill(description);
  await page.locator('[id="lines.0.unitPriceCents"]').fill(price);
  await press('Save and send…');
  await page.waitForURL(/issue$/);
  await press('Issue and e-mail');
  await page.waitForURL(/invoices\/[0-9a-f-]{36}\?done=yes/);
  return (await page.locator('h1').textContent())!;
}

const HEAD =
  '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"';
const line = (name: string, iban: string, amount: string, text: string, balance: string): string =>
  `"20260302";"${name}";"NL20INGB0001234567";"${iban}";"OV";"Bij";"${amount}";"Overschrijving";"Omschrijving: ${text}";"${balance}";""`;

async function importStatement(lines: readonly string[]): Promise<void> {
  await page.goto(`${home}/bank/import`);
  const buffer = Buffer.from([HEAD, ...lines, ''].join('\n'));
  await page.locator('#file').setInputFiles({ name: 'ing.csv', mimeType: 'text/csv', buffer });
  await pressTwice(page.getByRole('button', { name: 'Import a statement' }));
  await page.getByRole('heading', { name: 'Statement imported' }).waitFor();
}

test('a statement: booked where it is proven, asked where it is not; answered, and taken back', async () => {
  const number = await sent('Lijst', '100');
  await page.goto(`${home}/bank/import`);
  await press('Import a statement');
  expect(await page.locator('#file-fault').textContent()).toBe('is required');
  await page
    .locator('#file')
    .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('no statement') });
  await press('Import a statement');
  expect(await page.locator('#file-fault').textContent()).not.toBe('');
  await look('bank-import');

  // The newest comes first in a statement of this bank.
  const lines = [
    line('J. Jansen', 'NL85INGB0002468013', '50,00', 'bedankt!', '1171,00'),
    line('Sterre de Boer', 'NL44RABO0123456789', '121,00', `factuur ${number}`, '1121,00'),
  ];
  await importStatement(lines);
  expect((await page.locator('.facts').first().textContent())?.replace(/\s+/g, ' ')).toContain('Booked1 Questions1');
  await look('bank-imported');
  await importStatement(lines);
  expect((await page.locator('.facts').first().textContent())?.replace(/\s+/g, ' ')).toContain('There already2');

  await page.goto(home);
  expect(await main()).toContain('1 payments by bank wait for an answer');
  await follow('1 payments by bank wait for an answer');
  await look('bank');
  await picture('bank');
  await page.locator('tbody a').first().click();
  expect(await main()).toContain('It names no invoice of yours.');
  await page.locator('[id="number.0"]').fill('2020-9999');
  await press('Book it');
  expect(await page.locator('[id="number.0-fault"]').textContent()).toBe('is no invoice of yours');
  const year = new Date().getFullYear();
  await page.locator('[id="number.0"]').fill(`${year}-0001`);
  await look('bank-line');
  await pressTwice(page.getByRole('button', { name: 'Book it' }));
  await page.waitForURL(/done=yes/);
  expect(await main()).toContain('Booked');
  await look('bank-answered');
  await press('Take it back');
  expect(await page.locator('#reason-fault').textContent()).toBe('is required');
  await page.locator('#reason').fill('was for somebody else');
  await press('Take it back');
  await page.waitForURL(/done=yes/);
  await page.locator('#note').fill('a gift');
  await press('For no invoice');
  await page.waitForURL(/done=yes/);
  await page.goto(`${home}/bank?state=no-invoice`);
  expect(await page.locator('tbody tr').count()).toBe(1);
  await page.goto(`${home}/bank/statements`);
  expect(await main()).toContain('NL20INGB0001234567');
  await look('bank-statements');
});

test('what a bookkeeper sets right: a payment taken back, a surplus that pays another invoice, a write-off', async () => {
  const first = await sent('Doek', '100');
  const invoice = page.url().replace(/\?.*/, '');
  const other = await sent('Verf', '10');
  await page.goto(`${invoice}/payment`);
  await page.locator('#amountCents').fill('130');
  await press('Record a payment');
  await page.waitForURL(/done=yes/);
  await page.getByRole('link', { name: 'Take back' }).click();
  await look('take-back');
  await page.locator('#reason').fill('typed wrongly');
  await pressTwice(page.getByRole('button', { name: 'Take back' }));
  await page.waitForURL(/done=yes/);
  expect(await main()).toContain('Reversal');
  await page.goto(`${invoice}/payment`);
  await page.locator('#amountCents').fill('126');
  await press('Record a payment');
  await page.waitForURL(/done=yes/);
  await page.goto(home);
  expect(await main()).toContain('1 paid too much');
  await page.goto(invoice);
  await follow('Use what was paid too much');
  await press('Use what was paid too much');
  expect(await page.locator('#toInvoiceId-fault').textContent()).not.toBe('');
  await page
    .locator('#toInvoiceId')
    .selectOption({ index: 1 + (await offered()).findIndex((each) => each.startsWith(other)) });
  await look('move-surplus');
  await press('Use what was paid too much');
  await page.waitForURL(/done=yes/);
  expect(await page.locator('h1').textContent()).toBe(first);
  await page.goto(`${home}/invoices?q=${other}`);
  expect(await main()).toContain('€7.10');
  await page.locator('tbody a').first().click();
  await follow('Write off');
  await page.locator('#amountCents').fill('8');
  await press('Write off');
  expect(await page.locator('#amountCents-fault').textContent()).toContain('at most');
  await page.locator('#amountCents').fill('7,10');
  await look('write-off');
  await press('Write off');
  await page.waitForURL(/done=yes/);
  expect(await main()).toContain('Written off');
});

const offered = (): Promise<string[]> =>
  page.locator('#toInvoiceId option').evaluateAll((options) => options.slice(1).map((each) => each.textContent ?? ''));

test('reminders: turned on, in words of one’s own, and who is not reminded', async () => {
  await page.goto(`${home}/reminders`);
  expect(await main()).toContain('No reminders are sent.');
  await look('reminders');
  await follow('When and how');
  await page.locator('[id="days.0"]').fill('10');
  await page.locator('[id="days.1"]').fill('5');
  await press('Save');
  expect(await page.locator('[id="days.1-fault"]').textContent()).toContain('must rise');
  await page.locator('#enabled').selectOption('yes');
  await page.locator('[id="days.1"]').fill('20');
  await page.locator('#costsFrom').selectOption('2');
  await page.locator('#postFrom').selectOption('2');
  await look('reminder-plan');
  await press('Save');
  await page.waitForURL(/done=yes/);
  expect(await main()).toContain('10, 20');
  await follow('When and how');
  expect(await page.locator('#costsFrom').inputValue()).toBe('2');
  expect(await page.locator('#postFrom').inputValue()).toBe('2');
  const { steps } = await platform.admin<{ steps: { channel: string }[] }>(
    'reminder',
    'settings',
    '--org',
    home.slice(-36),
  );
  expect(steps.map(({ channel }) => channel)).toEqual(['email', 'post', 'post']);
  await follow('Reminder 2');
  await page.locator('#nl').fill('Denkt u aan deze factuur?');
  await look('reminder-words');
  await press('Save');
  await follow('Reminder 2');
  expect(await page.locator('#nl').inputValue()).toBe('Denkt u aan deze factuur?');

  await sent('Penseel', '20');
  await follow('Remind no more');
  await press('Remind no more');
  expect(await page.locator('#reason-fault').textContent()).toBe('is required');
  await page.locator('#reason').fill('a friend of the house');
  await press('Remind no more');
  await page.waitForURL(/reminders\?done=yes/);
  expect(await main()).toContain('a friend of the house');
  await look('reminder-exceptions');
  await press('Remind again');
  await page.waitForURL(/reminders\?done=yes/);
  expect(await main()).not.toContain('a friend of the house');
});

test('Peppol: an access point, what the network says of a customer, and a delivery that failed', async () => {
  await page.goto(`${home}/settings`);
  expect(await main()).toContain('No access point is connected yet');
  await page.goto(`${home}/customers/new`);
  await page.locator('#name').fill('Onbereikbaar BV');
  await page.locator('#addressLine1').fill('Dwaalweg 1');
  await page.locator('#postalCode').fill('1011 AA');
  await page.locator('#city').fill('Amsterdam');
  await page.locator('#countryCode').selectOption('NL');
  // The sandbox takes what is for such a number, and never delivers it.
  await page.locator('#kvkNumber').fill('99950012');
  await press('Save');
  await page.waitForURL(/customers\/[0-9a-f-]{36}/);
  const customer = page.url().replace(/\?.*/, '');
  await press('Ask whether they receive e-invoices');
  expect(await main()).toContain('connect an access point first');
  await page.goto(`${home}/settings`);
  await follow('Connect a Peppol access point');
  await look('peppol-connect');
  await press('Connect');
  await page.waitForURL(/settings\?done=yes/);
  expect(await main()).toContain('Sandbox: sends nothing');
  await page.goto(customer);
  await press('Ask whether they receive e-invoices');
  await page.waitForURL(/done=yes/);
  await page.goto(customer);
  expect(await main()).toContain('receives e-invoices');
  expect(await main()).toContain('0106:99950012');
  await look('peppol-customer');

  await follow('New invoice');
  await page.locator('[id="lines.0.description"]').fill('Lijst');
  await page.locator('[id="lines.0.unitPriceCents"]').fill('10');
  await press('Save and send…');
  await page.waitForURL(/issue$/);
  await press('Issue');
  await page.waitForURL(/invoices\/[0-9a-f-]{36}\?done=yes/);
  await waitFor(async () => {
    await page.goto(home);
    return (await main())?.includes('An e-invoice was not delivered over Peppol');
  }, 60_000);
  await follow('An e-invoice was not delivered over Peppol');
  expect(await page.locator('#history').textContent()).toContain('Not delivered over Peppol');
});

test('the books: figures of the VAT return with what is behind them, files, and a period that is closed and opened', async () => {
  const year = new Date().getFullYear();
  await page.goto(`${home}/books`);
  await look('books');
  await page.locator('#period').fill(`${year}-Q9`);
  await press('Show the figures');
  expect(await page.locator('#period-fault').textContent()).not.toBe('');
  await page.locator('#period').fill(String(year));
  await press('Show the figures');
  expect(await main()).toContain('1a. High rate');
  await look('vat');
  await picture('vat');
  await page.locator('tbody a').first().click();
  expect(await main()).toContain('Sterre de Boer');
  await look('vat-lines');

  await page.goto(`${home}/books`);
  await page.locator('#from').fill(`${year}-01-01`);
  await page.locator('#to').fill(`${year}-12-31`);
  await page.locator('#file').selectOption('bookings.csv');
  const [download] = await Promise.all([page.waitForEvent('download'), press('Download')]);
  expect(download.suggestedFilename()).toBe(`${year}-01-01_${year}-12-31_bookings.csv`);
  const named = (name: string) => `${home}/books/files/${name}?from=${year}-01-01&to=${year}-12-31`;
  for (const [name, begins] of [
    ['auditfile.xml', '<?xml'],
    ['auditfile-3.2.xml', '<?xml'],
    ['vat.csv', ''],
    ['documents.zip', 'PK'],
  ] as const) {
    const answer = await context.request.get(named(name));
    expect([name, answer.status(), (await answer.body()).subarray(0, begins.length).toString()]).toEqual([
      name,
      200,
      begins,
    ]);
  }
  expect((await context.request.get(named('nothing.csv'))).status()).toBe(404);
  expect((await context.request.get(`${home}/books/files/vat.csv?from=2026-13-01&to=x`)).status()).toBe(400);

  await follow('Close a period');
  await page.locator('#from').fill('2099-01-01');
  await page.locator('#to').fill('2099-12-31');
  await press('Close a period');
  expect(await page.locator('#to-fault').textContent()).toContain('before today');
  await page.locator('#from').fill('2025-01-01');
  await page.locator('#to').fill('2025-12-31');
  await look('close');
  await press('Close a period');
  await page.waitForURL(/done=yes/);
  expect(await page.locator('#periods').textContent()).toMatch(/[0-9a-f]{64}/);
  await look('books-closed');
  await follow('Open again');
  await page.locator('#reason').fill('a receipt was lost');
  await look('reopen');
  await press('Open again');
  await page.waitForURL(/done=yes/);
  expect(await main()).toContain('Opened again: a receipt was lost');
  await page.goto(`${home}/history?what=period`);
  await waitFor(async () => (await page.reload()) && (await main())?.includes('period.reopened'));
});

test('whoever is in several organisations is shown the way to the others', async () => {
  expect(await page.getByRole('link', { name: 'Other organisation' }).count()).toBe(0);
  const { id } = await platform.admin<{ id: string }>('org', 'create', '--name', 'Atelier Winter', '--mode', 'test');
  const { signInUrl } = await platform.admin<{ signInUrl: string }>(
    ...['user', 'invite', '--org', id, '--email', 'zomer@example.nl', '--role', 'viewer'],
  );
  await page.goto(signInUrl);
  await press('Accept and sign in');
  await page.waitForURL(`${platform.url}/app/${id}`);
  await follow('Other organisation');
  expect(await main()).toContain('Atelier Winter');
  await follow('Atelier Zomer');
  expect(page.url()).toBe(home);
});

test('a VAT number is looked up; while VIES is away that is said, and nothing is guessed', async () => {
  await page.goto(`${home}/customers/new`);
  await page.locator('#name').fill('Stern GmbH');
  await page.locator('#countryCode').selectOption('DE');
  await page.locator('#btwId').fill('DE 123456789');
  await press('Save');
  await page.waitForURL(/done=yes/);
  await press('Look the number up');
  await page.waitForURL(/vies=NO_ANSWER/);
  expect(await main()).toContain('Nothing is known now, and nothing was changed (NO_ANSWER).');
  await look('vies-away');
  const [, customerId] = /customers\/([0-9a-f-]{36})/.exec(page.url())!;
  const answered = await platform.admin<object>('customer', 'check-vat', customerId!);
  expect(answered).toEqual({ check: null, unavailable: 'NO_ANSWER' });
  await page.goto(`${home}/history?what=member`);
  expect(await main()).toContain('member.joined');
});

test('the pages that nobody has stopped at', async () => {
  await page.goto(`${home}/invoices/new`);
  await page.locator('#customerId').selectOption({ label: 'Sterre de Boer' });
  await page.locator('[id="lines.0.description"]').fill('Schets');
  await page.locator('[id="lines.0.unitPriceCents"]').fill('75');
  await press('Save as draft');
  await page.waitForURL(/done=yes/);
  const draft = page.url().replace(/\?.*/, '').replace(home, '');
  await page.goto(`${home}/products/new`);
  await look('product-new');
  await page.locator('#name').fill('Penseel');
  await page.locator('#unitPriceCents').fill('5');
  await press('Save');
  await page.waitForURL(/done=yes/);
  const product = page.url().replace(/\?.*/, '').replace(home, '');
  await page.goto(`${home}/customers`);
  const customer = (await page.locator('tbody a').first().getAttribute('href'))!.replace(/.*(?=\/customers)/, '');
  for (const [name, path] of [
    ['customers', '/customers'],
    ['customer-edit', `${customer}/edit`],
    ['products', '/products'],
    ['product-edit', `${product}/edit`],
    ['invoices', '/invoices'],
    ['draft', draft],
    ['draft-delete', `${draft}/delete`],
    ['remind-no-more', `/reminders/except?customer=${customer.split('/').at(-1)}`],
    ['keys', '/keys'],
    ['webhooks', '/webhooks'],
    ['period', '/settings/period'],
    ['nothing', '/nothing-of-the-kind'],
  ] as const) {
    await page.goto(`${home}${path}`);
    await look(name);
  }
  await page.goto(`${platform.url}/app/account`);
  await look('own-account');
});
