import { join, resolve } from 'node:path';
import { launchOptions, waitFor } from '@invoicing/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { lookerAt, pressTwice } from './application-look';
import { processOf } from './processes';
import { RunningPlatform } from './running-platform';

// From an invitation to an invoice that was sent, paid and credited: as somebody does it who has never seen the application.

jest.setTimeout(240_000);

const PICTURES = resolve(__dirname, '../../../docs/pictures');

let platform: RunningPlatform;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let organizationId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([
    RunningPlatform.start({ env: { PAGE_RATE_LIMIT_PER_MINUTE: '100000' } }),
    chromium.launch(launchOptions()),
  ]);
  ({ id: organizationId } = (await platform.admin(
    ...['org', 'create', '--name', 'Bakkerij De Maan', '--mode', 'test', '--kvk-number', '12345678'],
    ...['--btw-id', 'NL001234567B01', '--iban', 'NL91ABNA0417164300', '--address-line1', 'Kerkstraat 1'],
    ...['--postal-code', '1017 GB', '--city', 'Amsterdam', '--email', 'post@maan.example'],
  )) as { id: string });
  const { signInUrl } = await platform.admin<{ signInUrl: string }>(
    ...['user', 'invite', '--org', organizationId, '--email', 'maan@example.nl', '--role', 'owner'],
  );
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, locale: 'en-GB' });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(signInUrl);
  await page.locator('button').first().click();
  await page.waitForURL(/\/app\/[0-9a-f-]{36}$/);
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

const at = (path: string): string => `${platform.url}/app/${organizationId}${path}`;
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = () => page.locator('h1').textContent();

const lookAt = lookerAt('journey');
/** Accessible and within the screen of a phone, in both themes. */
const look = (name: string): Promise<void> => lookAt(page, name);

/** `UPDATE_DOCS=1` takes the pictures of docs/application.md anew. */
async function picture(name: string): Promise<void> {
  if (!process.env['UPDATE_DOCS']) return;
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

test('a customer: what is wrong stands beside its field; then it is made, once', async () => {
  await page.goto(at('/customers/new'));
  await look('customer-new');
  await page.locator('#email').fill('nobody');
  await press('Save');
  expect(await page.locator('#name').getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('#email-fault').textContent()).toContain('e-mail address');
  expect(await page.locator('#email').inputValue()).toBe('nobody');
  await look('customer-faults');
  await page.locator('#name').fill('Sterre de Boer');
  await page.locator('#companyName').fill('Sterrenwacht BV');
  await page.locator('#email').fill('sterre@example.nl');
  await page.locator('#city').fill('Leiden');
  await page.locator('#language').selectOption({ label: 'English' });
  await pressTwice(page.getByRole('button', { name: 'Save' }));
  await page.waitForURL(/customers\/[0-9a-f-]{36}/);
  expect(await heading()).toBe('Sterrenwacht BV');
  expect(await page.locator('.facts').textContent()).toMatch(/Language of invoices and e-mails\s*English/);
  await look('customer');
  await page.goto(at('/customers'));
  expect(await page.locator('tbody tr').count()).toBe(1);
});

test('a customer is changed, archived and brought back; who saw an older one is told', async () => {
  await page.locator('tbody a').first().click();
  await page.getByRole('link', { name: 'Edit' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.locator('#city').fill('Delft');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.waitForURL(/done=yes/);
  await other.close();
  await page.locator('#city').fill('Den Haag');
  await press('Save');
  expect(await page.locator('[role=alert]').first().textContent()).toContain('Somebody else changed this');
  await page.getByRole('link', { name: 'Cancel' }).click();
  expect(await page.locator('.facts').textContent()).toContain('Delft');
  await press('Archive');
  expect(await page.locator('main').textContent()).toContain('Archived');
  await press('Bring back');
  expect(await page.locator('main').textContent()).not.toContain('Archived');
});

test('a product, with a price as people type it', async () => {
  await page.goto(at('/products/new'));
  await page.locator('#name').fill('Telescoop');
  await page.locator('#unitPriceCents').fill('one hundred');
  await press('Save');
  expect(await page.locator('#unitPriceCents-fault').textContent()).toContain('amount');
  await page.locator('#unitPriceCents').fill('1.250,50');
  await press('Save');
  await page.waitForURL(/products\/[0-9a-f-]{36}/);
  expect(await page.locator('.facts').textContent()).toContain('€1,250.50');
  await look('product');
});

test('a draft with totals from the server while it is typed, a look at the document, then sent', async () => {
  await page.goto(at('/invoices/new'));
  await page.locator('#customerId').selectOption({ label: 'Sterrenwacht BV, Delft' });
  // A line about a product, found while its name is typed.
  await page.locator('#productSearch').fill('nothing of the kind');
  await page.getByText('No product found.').waitFor();
  await page.locator('#productSearch').fill('tele');
  await page.getByRole('button', { name: /Telescoop/ }).click();
  await waitFor(async () => (await page.locator('[id="lines.0.unitPriceCents"]').inputValue()) === '1250.50');
  expect(await page.locator('#customerId').inputValue()).not.toBe('');
  await press('Add a line');
  await page.locator('[id="lines.1.description"]').fill('Onderhoud');
  await page.locator('[id="lines.1.quantity"]').fill('1,5');
  await page.locator('[id="lines.1.unit"]').fill('uur');
  await page.locator('[id="lines.1.unitPriceCents"]').fill('80');
  await page.locator('[id="lines.1.discountBps"]').fill('10');
  await page.locator('#reference').fill('PO-7');
  expect(await page.locator('#language').inputValue()).toBe('');
  await page.locator('#periodFrom').fill('2026-10-01');
  await page.locator('#periodTo').fill('2026-10-31');
  // 1250.50 + 1.5 × 80 less a tenth = 1358.50, and 21 %.
  await waitFor(async () => (await page.locator('[data-live]').textContent())?.includes('€1,643.79'));
  await look('draft-new');
  await press('Save and preview');
  await page.waitForURL(/edit#preview$/);
  await page.locator('img.sheet').scrollIntoViewIfNeeded();
  await waitFor(() => page.evaluate<boolean>('document.querySelector("img.sheet").naturalWidth > 0'));
  await look('draft-preview');
  await press('Save and send…');
  await page.waitForURL(/issue$/);
  const year = new Date().getFullYear();
  const promise = await page.locator('main').textContent();
  expect(promise).toContain(`This takes number ${year}-0001, is e-mailed to sterre@example.nl, and cannot be changed`);
  await look('issue');
  await picture('issue');
  await pressTwice(page.getByRole('button', { name: 'Issue and e-mail' }));
  await page.waitForURL(/invoices\/[0-9a-f-]{36}\?done=yes/);
  expect(await heading()).toBe(`${year}-0001`);
  await look('invoice');
  const mails = await platform.admin<{ subject: string }[]>('mail', 'list', '--to', 'sterre@example.nl');
  // In the language that was chosen for the customer.
  expect(mails.map(({ subject }) => subject)).toEqual([`[TEST] Invoice ${year}-0001 from Bakkerij De Maan`]);
  const pdf = await context.request.get(page.url().replace(/\?.*/, '/document.pdf'));
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a payment is recorded, a part is credited, money goes back; the account says why', async () => {
  const invoice = page.url().replace(/\?.*/, '');
  await page.getByRole('link', { name: 'Record a payment' }).click();
  await page.locator('#amountCents').fill('1.000,00');
  await look('payment');
  await pressTwice(page.getByRole('button', { name: 'Record a payment' }));
  await page.waitForURL(/done=yes/);
  expect(await page.locator('main').textContent()).toContain('€643.79');
  await page.getByRole('link', { name: 'Make a credit note' }).click();
  await page.locator('[id="quantity.1"]').fill('1,5');
  await look('credit');
  await press('Show what it gives back');
  const gives = await page.locator('main').textContent();
  expect(gives).toContain('€130.68');
  const note = /This takes number (C-\d{4}-0001), is e-mailed to sterre@example.nl/.exec(gives ?? '')?.[1];
  await look('credit-preview');
  await press('Change it');
  expect(await page.locator('[id="quantity.1"]').inputValue()).toBe('1,5');
  await press('Show what it gives back');
  await pressTwice(page.getByRole('button', { name: 'Issue the credit note' }));
  await page.waitForURL(/done=yes/);
  expect(await heading()).toBe(note);
  await page.goto(`${invoice}/refund`);
  await page.locator('#amountCents').fill('100');
  await page.locator('#through').selectOption('bank');
  await look('refund');
  await press('Give money back');
  await page.waitForURL(/done=yes/);
  await look('account');
  const entries = await platform.admin<{ type: string; amountCents: number }[]>(
    ...['invoice', 'payments', invoice.split('/').at(-1)!],
  );
  expect(entries.map(({ type, amountCents }) => [type, Math.abs(amountCents)])).toEqual(
    expect.arrayContaining([
      ['payment', 100_000],
      ['credit', 13_068],
      ['refund', 10_000],
    ]),
  );
});

test('the document goes out again: by mail to another address, and as a letter; its history says all of it', async () => {
  await page.goto(at('/invoices?q=Sterren&kind=invoice'));
  await look('invoices-narrowed');
  await picture('invoices');
  expect(await page.locator('tbody tr').count()).toBe(1);
  await page.locator('tbody a').first().click();
  await page.getByRole('link', { name: 'E-mail again' }).click();
  await page.locator('#to').fill('nobody');
  await press('E-mail again');
  expect(await page.locator('#to-fault').textContent()).toContain('e-mail address');
  await page.locator('#to').fill('boekhouding@example.nl');
  await look('resend');
  await pressTwice(page.getByRole('button', { name: 'E-mail again' }));
  await page.waitForURL(/done=yes/);
  await page.getByRole('link', { name: 'Send by post' }).click();
  await look('post');
  await press('Post it');
  await page.waitForURL(/done=yes/);
  const history = page.locator('#history');
  await waitFor(async () => {
    await page.reload();
    return (await history.textContent())?.includes('Letter');
  });
  const told = await history.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent));
  for (const what of ['Draft made', 'Issued', 'Payment', 'Credit note', 'Refund', 'boekhouding@example.nl', 'Letter'])
    expect(told.filter((row) => row?.includes(what))).not.toEqual([]);
  expect(await platform.admin<unknown[]>('mail', 'list', '--to', 'boekhouding@example.nl')).toHaveLength(1);
  await look('invoice-history');
  await picture('invoice');
});

test('two customers that are one: the one that stays gets the new invoices', async () => {
  await page.goto(at('/customers/new'));
  await page.locator('#name').fill('Sterre de Boer (oud)');
  await page.locator('#email').fill('sterre@example.nl');
  await press('Save');
  await page.waitForURL(/done=yes/);
  const old = page.url().replace(/\?.*/, '');
  await page.getByRole('link', { name: 'Merge…' }).click();
  await look('merge');
  await page.getByRole('button', { name: 'This one stays' }).first().click();
  await page.waitForURL(/done=yes/);
  expect(await heading()).toBe('Sterrenwacht BV');
  await page.goto(old);
  expect(await page.locator('main').textContent()).toContain('Archived');
  await page.getByRole('link', { name: 'to the customer that stands for this one' }).click();
  await page.getByRole('link', { name: 'Invoices of this customer' }).click();
  expect(await page.locator('main').textContent()).toContain('of Sterrenwacht BV');
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
});

test('home says what needs somebody, and how the money went', async () => {
  await page.goto(at(''));
  const home = await page.locator('main').textContent();
  expect(home).toContain('Money in and out by month');
  expect(await page.locator('.chart svg').getAttribute('role')).toBe('img');
  await page.getByText('As a table').click();
  expect(await page.locator('details').textContent()).toContain('€1,000.00');
  expect(await page.locator('details').textContent()).toContain('€100.00');
  await look('home');
  await picture('home');
});

test('the history of all of it: narrowed, and as a file that no spreadsheet takes for formulas', async () => {
  await page.goto(at('/customers/new'));
  await page.locator('#name').fill('=HYPERLINK("https://evil.example")');
  await press('Save');
  await page.waitForURL(/done=yes/);
  await page.goto(at('/history'));
  await look('history');
  const all = await page.locator('main').textContent();
  for (const action of ['customer.created', 'draft.created', 'product.created']) expect(all).toContain(action);
  await page.locator('#what').selectOption('product');
  await press('Show');
  expect(await page.locator('tbody tr').count()).toBe(1);
  await page.goto(at('/history?who=nobody-of-ours'));
  expect(await page.locator('main').textContent()).toContain('Nothing fits');
  const file = await context.request.get(at('/history/history.csv?what=customer'));
  expect(file.headers()['content-type']).toContain('text/csv');
  const text = await file.text();
  expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  expect(text).not.toContain('product.created');
  await page.goto(at('/invoices?status=paid&from=2020-01-01&to=2020-12-31'));
  expect(await page.locator('main').textContent()).toContain('Nothing fits');
});

test('without a script: lines are added and taken away, and a draft is deleted', async () => {
  const plain = await browser.newContext({
    ...{ javaScriptEnabled: false, locale: 'nl-NL' },
    storageState: await context.storageState(),
  });
  const form = await plain.newPage();
  await form.goto(`${at('/invoices/new')}?lang=nl`);
  await form.locator('#customerId').selectOption({ label: 'Sterrenwacht BV, Delft' });
  await form.locator('#productSearch').fill('tele');
  await form.getByRole('button', { name: 'Zoeken Product' }).click();
  await form.getByRole('button', { name: /Telescoop/ }).click();
  expect(await form.locator('[id="lines.0.description"]').inputValue()).toBe('Telescoop');
  await form.getByRole('button', { name: 'Regel toevoegen' }).click();
  await form.getByRole('button', { name: 'Regel toevoegen' }).click();
  expect(await form.locator('fieldset').count()).toBe(3);
  await form.locator('[id="lines.2.description"]').fill('Lens');
  await form.locator('[id="lines.2.unitPriceCents"]').fill('10');
  await form.getByRole('button', { name: 'Verwijderen Regel 1 · Telescoop', exact: true }).click();
  await form.getByRole('button', { name: 'Opnieuw berekenen' }).click();
  expect(await form.locator('[data-live]').textContent()).toContain('12,10');
  await form.locator('[id="lines.1.quantity"]').fill('veel');
  await form.getByRole('button', { name: 'Opslaan als concept' }).last().click();
  expect(await form.locator('[id="lines.1.quantity-fault"]').textContent()).toBe('is geen getal');
  await form.locator('[id="lines.1.quantity"]').fill('2');
  await form.getByRole('button', { name: 'Opslaan als concept' }).last().click();
  expect(await form.locator('h1').textContent()).toMatch(/^CONCEPT-/);
  await form.getByRole('link', { name: 'Bewerken' }).click();
  expect(await form.locator('[id="lines.0.quantity"]').inputValue()).toBe('2');
  await form.locator('#reference').fill('PO-8');
  await form.getByRole('button', { name: 'Opslaan als concept' }).last().click();
  expect(await form.locator('.facts').first().textContent()).toContain('PO-8');
  await form.getByRole('button', { name: 'Kopiëren naar nieuw concept' }).click();
  await form.waitForURL(/edit$/);
  await form.goto(form.url().replace(/edit$/, 'delete'));
  await form.getByRole('button', { name: 'Concept verwijderen' }).click();
  await form.waitForURL(/invoices$/);
  expect(await form.locator('tbody tr').filter({ hasText: 'CONCEPT' }).count()).toBe(1);
  await plain.close();
});

test('two browsers edit one draft: the later one is told what changed, and nothing is lost', async () => {
  await page.goto(at('/invoices/new'));
  await page.locator('#customerId').selectOption({ label: 'Sterrenwacht BV, Delft' });
  await page.locator('[id="lines.0.description"]').fill('Lezing');
  await page.locator('[id="lines.0.unitPriceCents"]').fill('200');
  await press('Save as draft');
  await page.waitForURL(/done=yes/);
  const draft = page.url().replace(/\?.*/, '');
  await page.goto(`${draft}/edit`);
  const colleague = await platform.admin<{ signInUrl: string }>(
    ...['user', 'invite', '--org', organizationId, '--email', 'boek@example.nl', '--role', 'bookkeeper'],
  );
  const elsewhere = await browser.newContext({ locale: 'en-GB' });
  const other = await elsewhere.newPage();
  await other.goto(colleague.signInUrl);
  await other.locator('button').first().click();
  await other.waitForURL(/\/app\/[0-9a-f-]{36}$/);
  await other.goto(`${draft}/edit`);
  await other.locator('#reference').fill('PO-99');
  await other.locator('[id="lines.0.unitPriceCents"]').fill('250');
  await pressTwice(other.getByRole('button', { name: 'Save as draft' }));
  await other.waitForURL(/done=yes/);

  await page.locator('#note').fill('Met dank');
  await press('Save as draft');
  expect(await page.locator('[role=alert]').first().textContent()).toContain('Somebody else changed this draft');
  const rows = await page.locator('main table tbody tr').evaluateAll((found) => found.map((row) => row.textContent));
  const told = rows.map((row) => row?.replace(/\s+/g, ' ').trim());
  expect(told).toEqual([
    'Reference of the customer PO-99 –',
    'Note on the invoice – Met dank',
    'Line 1 Lezing · 1 × €250.00 · 21% Lezing · 1 × €200.00 · 21%',
  ]);
  await look('draft-conflict');
  await picture('conflict');
  // What was typed is still there, and is saved by who has seen what it replaces.
  expect(await page.locator('#note').inputValue()).toBe('Met dank');
  await page.locator('#reference').fill('PO-99');
  await press('Save as draft');
  await page.waitForURL(/done=yes/);
  const facts = await page.locator('main').textContent();
  expect(facts).toContain('PO-99');
  expect(facts).toContain('Met dank');

  // What changed after it was looked at is not issued unseen.
  await page.goto(`${draft}/issue`);
  await other.goto(`${draft}/edit`);
  await other.locator('#note').fill('Graag snel');
  await other.getByRole('button', { name: 'Save as draft' }).click();
  await other.waitForURL(/done=yes/);
  await press('Issue and e-mail');
  expect(await page.locator('[role=alert]').first().textContent()).toContain('This was changed since you looked');
  await press('Issue and e-mail');
  await page.waitForURL(/done=yes/);
  // Each save was of the whole form; the history names what was changed by it.
  await other.goto(at('/history?what=draft&who=boek'));
  const changed = other.locator('tbody tr', { hasText: 'draft.updated' }).locator('td:nth-child(4)');
  expect((await changed.allTextContents()).map((fields) => fields.trim())).toEqual(['note', 'reference, lines']);
  // Who had it open finds it issued.
  await other.goto(`${draft}/edit`);
  expect(await other.locator('main').textContent()).toContain('Somebody issued this invoice meanwhile');
  await elsewhere.close();
});

/** The fields of the form on the page, as its button would send them. */
const fieldsOf = (selector: string, press: Record<string, string> = {}): Promise<Record<string, string>> =>
  page
    .evaluate<Record<string, string>>(`Object.fromEntries(new FormData(document.querySelector('${selector}')))`)
    .then((fields) => ({ ...fields, ...press }));

/** Sends a form and ends a part of the platform before it can have answered. */
async function sendAndKill(part: string, url: string, form: Record<string, string>): Promise<void> {
  const sent = context.request
    .post(url, { form, headers: { origin: platform.url }, maxRedirects: 0 })
    .catch(() => undefined);
  process.kill(processOf(platform.dataDir, part).pid, 'SIGKILL');
  await sent;
}

/** Sends a form again and again, as somebody does who got no answer, until there is one. Answers where it leads. */
const sendUntilAnswered = (url: string, form: Record<string, string>): Promise<string> =>
  waitFor(async () => {
    const headers = { origin: platform.url };
    const response = await context.request.post(url, { form, headers, maxRedirects: 0 }).catch(() => undefined);
    return response?.status() === 303 ? response.headers()['location'] : undefined;
  }, 60_000);

test.each([
  ['billing/main.js', 1_100],
  ['catalog/main.js', 1_200],
  ['application/main.js', 1_300],
  ['gateway/main.js', 1_400],
])(
  'kill -9 of %s between click and answer: however often it is sent again, there is one draft',
  async (part, price) => {
    await page.goto(at('/invoices/new'));
    await page.locator('#customerId').selectOption({ label: 'Sterrenwacht BV, Delft' });
    await page.locator('[id="lines.0.description"]').fill(part);
    await page.locator('[id="lines.0.unitPriceCents"]').fill(String(price));
    const form = await fieldsOf('form.editor', { press: 'save' });
    await sendAndKill(part, at('/invoices/new'), form);
    const places = [
      await sendUntilAnswered(at('/invoices/new'), form),
      await sendUntilAnswered(at('/invoices/new'), form),
    ];
    expect(new Set(places).size).toBe(1);
    await waitFor(async () => (await page.goto(at('/invoices?status=draft')))?.status() === 200, 30_000);
    const rows = page.locator('tbody tr', { hasText: new Intl.NumberFormat('en-IE').format(price * 1.21) });
    expect(await rows.count()).toBe(1);
  },
);

test('kill -9 of checkout between click and answer: however often it is sent again, there is one payment link', async () => {
  await platform.admin('provider', 'connect', '--org', organizationId, '--provider', 'sandbox');
  await page.goto(at('/checkouts/new'));
  await page.locator('#title').fill('Sterrenavond');
  await page.locator('[id="lines.0.description"]').fill('Sterrenavond');
  await page.locator('[id="lines.0.unitPriceCents"]').fill('15');
  const form = await fieldsOf('form.editor', { press: 'save' });
  await sendAndKill('checkout/main.js', at('/checkouts/new'), form);
  const places = [
    await sendUntilAnswered(at('/checkouts/new'), form),
    await sendUntilAnswered(at('/checkouts/new'), form),
  ];
  expect(new Set(places).size).toBe(1);
  await waitFor(async () => (await page.goto(at('/checkouts')))?.status() === 200, 30_000);
  expect(await page.locator('tbody tr', { hasText: 'Sterrenavond' }).count()).toBe(1);
});

test('kill -9 of who sends mail between click and answer: a document goes out again once', async () => {
  await waitFor(async () => (await page.goto(at('/invoices?kind=invoice&status=open')))?.status() === 200, 30_000);
  const invoice = `${platform.url}${await page.locator('tbody a').first().getAttribute('href')}`;
  await page.goto(`${invoice}/resend`);
  await page.locator('#to').fill('nogmaals@example.nl');
  const form = await fieldsOf('main form');
  await sendAndKill('notification/main.js', `${invoice}/resend`, form);
  await sendUntilAnswered(`${invoice}/resend`, form);
  await sendUntilAnswered(`${invoice}/resend`, form);
  const sent = () => platform.admin<unknown[]>('mail', 'list', '--to', 'nogmaals@example.nl').catch(() => []);
  await waitFor(async () => (await sent()).length > 0, 60_000);
  expect(await sent()).toHaveLength(1);
});

test('kill -9 of billing and of who sends mail while an invoice is issued: one number, one e-mail', async () => {
  for (const part of ['billing/main.js', 'notification/main.js']) {
    await waitFor(async () => (await page.goto(at('/invoices?status=draft')))?.status() === 200, 30_000);
    const draft = (await page.locator('tbody a').first().getAttribute('href'))!;
    await page.goto(`${platform.url}${draft}/issue`);
    const number = /This takes number (\S+),/.exec((await page.locator('main').textContent()) ?? '')?.[1] ?? '';
    expect(number).toMatch(/^\d{4}-\d{4}$/);
    const form = await fieldsOf('main form');
    const url = `${platform.url}${draft}/issue`;
    await sendAndKill(part, url, form);
    await sendUntilAnswered(url, form);
    await sendUntilAnswered(url, form);
    await page.goto(`${platform.url}${draft}`);
    expect(await heading()).toBe(number);
    const about = async (): Promise<number> => {
      const mails = await platform.admin<{ subject: string }[]>('mail', 'list', '--to', 'sterre@example.nl');
      return mails.filter(({ subject }) => subject.includes(number)).length;
    };
    await waitFor(async () => (await about().catch(() => 0)) > 0, 60_000);
    expect(await about()).toBe(1);
  }
});
