import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { launchOptions, waitFor } from '@invoicing/testing';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { line, startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { post } from './testing/payer';

/** Set to a folder to look at what payers see. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  locale: 'nl-NL',
};
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, locale: 'en-GB' };

let rig: CheckoutRig;
let browser: Browser;

beforeAll(async () => {
  [rig, browser] = await Promise.all([startCheckoutRig(), chromium.launch(launchOptions())]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await rig?.close();
});

/** A window, and everything that its console complained about: a page must not break its own security policy. */
async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser itself mentions every answer that is not 200.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return { page, complaints };
}

async function look(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** The pages are the same at every size but for their layout: one size is looked at closely. */
async function expectAccessible(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) > 500) return;
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** Nothing sticks out sideways on a narrow screen. */
async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBe(0);
}

const order = {
  title: 'Workshop brood bakken – zaterdag 28 november',
  lines: [
    { ...line('Workshop zuurdesem, inclusief lunch en receptenboek', 8_950), quantity: '2' },
    line('Boek: Brood uit eigen oven', 2_250, VatTreatment.REDUCED_9),
  ],
};

async function fillIn(page: Page): Promise<void> {
  await page.locator('[name=method][value=ideal]').check();
  await page.locator('#email').fill('anna@example.com');
  await page.locator('#name').fill('Anna de Vries');
  await page.locator('#addressLine1').fill('Prinsengracht 263');
  await page.locator('#postalCode').fill('1016 GV');
  await page.locator('#city').fill('Amsterdam');
}

const sizes = [
  ['phone', phone],
  ['desktop', desktop],
] as const;

describe.each(sizes)('%s', (size, options) => {
  test.each([true, false])('pays with script %s', async (javaScriptEnabled) => {
    const made = await rig.create(await rig.organization(), { ...order, redirectUrl: `${rig.url}/c/thanks` });
    const { page, complaints } = await open({ ...options, javaScriptEnabled });
    await page.goto(made.url);
    if (javaScriptEnabled) await expectAccessible(page);
    await expectFits(page);
    await look(page, `${size}-form`);

    await fillIn(page);
    await page.locator('form button').click();
    await page.waitForURL(/sandbox\/pay/);
    if (javaScriptEnabled) await expectAccessible(page);
    await look(page, `${size}-sandbox`);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();

    await page.waitForURL(/\/c\/[^/]+\?lang/);
    await expectFits(page);
    if (javaScriptEnabled) await expectAccessible(page);
    await look(page, `${size}-paid`);
    expect(await page.locator('a.button').getAttribute('href')).toContain(`checkout=${made.id}&status=paid`);
    await page.locator('a.button').click();
    await page.waitForURL(new RegExp(`thanks\\?checkout=${made.id}&status=paid`));
    await waitFor(() => [...rig.billing.invoices.values()].some(({ checkoutId }) => checkoutId === made.id));
    expect(complaints).toEqual([]);
  });

  test.each([
    ['Fail', /failed|did not succeed|niet gelukt/],
    ['Cancel', /cancelled|afgebroken/],
    ['Leave pending', /wait|wachten/i],
  ])('%s', async (button, words) => {
    const made = await rig.create(await rig.organization(), order);
    const { page, complaints } = await open(options);
    await page.goto(made.url);
    await fillIn(page);
    await page.locator('form button').click();
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.waitForURL(/\/c\/[^/]+\?lang/);
    await expect(page.locator('main').innerText()).resolves.toMatch(words);
    await expectAccessible(page);
    await expectFits(page);
    await look(page, `${size}-${button.replace(' ', '-').toLowerCase()}`);
    expect(complaints).toEqual([]);
  });

  test('wrong details are explained, and what was typed stays', async () => {
    const made = await rig.create(await rig.organization(), order);
    const { page } = await open(options);
    await page.goto(made.url);
    await page.locator('#type-company').check();
    await page.locator('#email').fill('anna@');
    await page.locator('#btwId').fill('NL123');
    await page.locator('#city').evaluate((field) => field.removeAttribute('maxlength'));
    await page.locator('#city').fill('x'.repeat(101));
    await page.locator('form button').click();
    await page.locator('.notice').waitFor();
    expect(await page.locator('.field .fault').count()).toBe(4);
    expect(await page.locator('#email').inputValue()).toBe('anna@');
    expect(await page.locator('#type-company').isChecked()).toBe(true);
    await expectAccessible(page);
    await expectFits(page);
    await look(page, `${size}-faults`);
  });

  test('pages on which there is nothing to pay', async () => {
    const organizationId = await rig.organization();
    const unconnected = await rig.create(organizationId, order);
    await rig.disconnect(organizationId);
    const { page } = await open(options);
    await page.goto(unconnected.url);
    await expectAccessible(page);
    await look(page, `${size}-unconnected`);
    await page.goto(`${rig.url}/c/${'x'.repeat(32)}`);
    await expectAccessible(page);
    await look(page, `${size}-absent`);

    const expired = await rig.create(await rig.organization(), order);
    const past = { $set: { expiresAt: new Date(0), dueAt: new Date() } };
    await (await rig.database()).collection('sessions').updateOne({ _id: expired.id as never }, past);
    await page.goto(expired.url);
    await page.locator('.badge.bad').waitFor();
    await expectAccessible(page);
    await look(page, `${size}-expired`);
  });

  test('a page that failed says so, and leads back', async () => {
    const made = await rig.create(await rig.organization(), order);
    const { page } = await open(options);
    await page.goto(made.url);
    await fillIn(page);
    await page.evaluate(
      `document.querySelector('#city').removeAttribute('maxlength'); document.querySelector('#city').value = 'x'.repeat(40000)`,
    );
    await page.locator('form button').click();
    await page.locator('.badge.bad').waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await look(page, `${size}-error`);
    await page.locator('a.button').click();
    await page.locator('form button').waitFor();
    expect(page.url()).toContain(made.url);
  });
});

test('a double click, the back button and a second tab meet one payment', async () => {
  const made = await rig.create(await rig.organization(), order);
  const { page, complaints } = await open(phone);
  const tab = await page.context().newPage();
  await tab.goto(made.url);
  await page.goto(made.url);
  await fillIn(page);
  await page.locator('form button').dblclick();
  await page.waitForURL(/sandbox\/pay/);
  const payPage = page.url();

  await page.goBack();
  await page.locator('form button').click();
  await page.waitForURL(/sandbox\/pay/);
  expect(page.url()).toBe(payPage);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/c\/[^/]+\?lang/);

  await fillIn(tab);
  await tab.locator('form button').click();
  await tab.waitForURL(/\/c\/[^/]+\?lang/);
  // Whoever waits sees the invoice appear.
  for (const each of [page, tab]) await each.locator('a.link').waitFor();
  await look(tab, 'phone-invoice');
  expect([...rig.billing.invoices.values()].filter(({ checkoutId }) => checkoutId === made.id)).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test('a page that waits for a payment notices by itself that it came', async () => {
  const made = await rig.create(await rig.organization(), order);
  const { page } = await open(desktop);
  await page.goto(made.url);
  await fillIn(page);
  await page.locator('form button').click();
  await page.waitForURL(/sandbox\/pay/);
  const payPage = page.url();
  await page.getByRole('button', { name: 'Leave pending' }).click();
  await page.locator('.badge.wait').waitFor();
  await post(payPage, { outcome: 'paid' });
  await page.locator('.badge.good').waitFor();
});

test('whoever comes back before the bank told us sees the payment arrive, without paying again', async () => {
  const made = await rig.create(await rig.organization(), order);
  const { page, complaints } = await open(phone);
  await page.goto(made.url);
  await fillIn(page);
  await page.locator('form button').click();
  await page.waitForURL(/sandbox\/pay/);
  const payPage = page.url();
  await page.goto(made.url);
  await expect(page.locator('.notice').innerText()).resolves.toContain('Nog niet betaald');
  await expectAccessible(page);
  await look(page, 'phone-unfinished');
  await post(payPage, { outcome: 'paid' });
  await page.locator('.badge.good').waitFor();
  expect(complaints).toEqual([]);
});

test('an invoice is paid from its own page', async () => {
  const organizationId = await rig.organization();
  const request = { organizationId, customerId: crypto.randomUUID(), lines: order.lines };
  const invoice = rig.billing.issue(crypto.randomUUID(), request);
  const { page, complaints } = await open(phone);
  await page.goto(`${rig.url}/c/i/${invoice.publicToken}`);
  await expectAccessible(page);
  await look(page, 'phone-invoice-form');
  await page.locator('[name=method][value=bancontact]').check();
  await page.locator('form button').click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.locator('.badge.good').waitFor();
  await waitFor(() => rig.billing.paidEvents.includes(invoice.id));
  expect(complaints).toEqual([]);
});
