import { join } from 'node:path';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { accessibilityFaults, launchOptions, sidewaysOverflow, waitFor } from '@invoicing/testing';
import { chromium, type Browser, type BrowserContextOptions, type Page, type Route } from 'playwright-core';
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

/** The pages are the same at every size but for their layout: one size is looked at closely, in both themes. */
async function expectAccessible(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) > 500) return;
  // A page that waits loads itself again, and one that is over leads on after five seconds: not while it is looked at.
  const stay = (route: Route): Promise<void> =>
    route.request().isNavigationRequest() ? route.abort('aborted') : route.continue();
  await page.route('**', stay);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.unroute('**', stay);
}

/** Nothing sticks out sideways on a narrow screen. */
async function expectFits(page: Page): Promise<void> {
  expect(await sidewaysOverflow(page)).toBe(0);
}

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

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
    await page.locator('form .pay').click();
    await page.waitForURL(/sandbox\/pay/);
    if (javaScriptEnabled) await expectAccessible(page);
    await look(page, `${size}-sandbox`);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();

    await page.waitForURL(/\/c\/[^/]+\?lang/);
    expect(await page.locator('a.button').getAttribute('href')).toContain(`checkout=${made.id}&status=paid`);
    await expectFits(page);
    await look(page, `${size}-paid`);
    if (javaScriptEnabled) await expectAccessible(page);
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
    await page.locator('form .pay').click();
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
    await page.locator('form .pay').click();
    await page.locator('.notice').waitFor();
    expect(await page.locator('.field .fault').count()).toBe(4);
    expect(await page.locator('#email').inputValue()).toBe('anna@');
    expect(await page.locator('#type-company').isChecked()).toBe(true);
    // What is wrong first has the focus, and is still seen to be wrong.
    const focused = page.locator('[name=method]:focus');
    expect(await focused.count()).toBe(1);
    await expectAccessible(page);
    await expectFits(page);
    await look(page, `${size}-faults`);
    await focused.check();
    await page.locator('form .pay').click();
    const email = page.locator('#email:focus');
    await email.waitFor();
    const [invalid, valid] = await Promise.all(
      [email, page.locator('#name')].map((field) => field.evaluate((each) => getComputedStyle(each).borderColor)),
    );
    expect(invalid).not.toBe(valid);
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
    expect(await page.locator('a.button').getAttribute('href')).toBe('mailto:boek@ochtend.example');
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
    await page.locator('form .pay').click();
    await page.locator('.badge.bad').waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await look(page, `${size}-error`);
    await page.locator('a.button').click();
    await page.locator('form .pay').waitFor();
    expect(page.url()).toContain(made.url);
  });
});

test('another language keeps what was typed, without script too; the seller’s house style and name are there, and that it is a test', async () => {
  const organizationId = await rig.organization();
  const [profile] = rig.billing.organizations.get(organizationId)!.profiles;
  profile!.style = { accentColor: '#0f766e', footer: 'Elke dag vers.', logo: Buffer.from(PIXEL, 'base64') };
  for (const javaScriptEnabled of [true, false]) {
    const made = await rig.create(organizationId, order);
    const { page, complaints } = await open({ ...phone, javaScriptEnabled });
    await page.goto(made.url);
    await fillIn(page);
    await page.locator('#type-company').check();
    await page.locator('#companyName').fill('De Vries & Zn.');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.locator('html[lang=de]').waitFor();
    expect(await page.locator('.notice, .fault').count()).toBe(0);
    expect(await page.locator('#companyName').inputValue()).toBe('De Vries & Zn.');
    expect(await page.locator('[value=ideal]').isChecked()).toBe(true);
    expect(await page.locator('.brand-logo').evaluate((logo) => (logo as HTMLImageElement).naturalWidth)).toBe(1);
    const button = page.locator('form .pay');
    expect(await button.evaluate((each) => getComputedStyle(each).backgroundColor)).toBe('rgb(15, 118, 110)');
    expect(await page.locator('.test-mark').innerText()).toContain('Dies ist ein Test');
    const foot = await page.locator('.page-foot').innerText();
    for (const said of ['Bakkerij De Ochtend B.V.', '12345678', 'boek@ochtend.example', 'Elke dag vers.'])
      expect(foot).toContain(said);
    await look(page, 'phone-german');
    // Enter pays; it does not change the language.
    await page.locator('#email').press('Enter');
    await page.waitForURL(/sandbox\/pay/);
    expect(complaints).toEqual([]);
    await page.context().close();
  }
});

test('hints follow the country, with script and without', async () => {
  const made = await rig.create(await rig.organization(), order);
  const { page } = await open(phone);
  await page.goto(made.url);
  await page.locator('#type-company').check();
  const hints = () => page.locator('.hint[data-hints]:visible').allInnerTexts();
  expect(await hints()).toEqual(['Bijvoorbeeld 1234 AB', 'Bijvoorbeeld NL001234567B01', 'KvK, 8 cijfers']);
  await page.locator('#countryCode').selectOption('BE');
  expect(await hints()).toEqual(['Bijvoorbeeld 1000', 'Bijvoorbeeld BE0123456789', 'KBO/BCE']);
  await page.locator('#countryCode').selectOption('JP');
  expect(await hints()).toEqual([]);
  const belgian = { form: 'x', method: '', type: 'company', countryCode: 'BE' };
  expect((await post(made.url, belgian)).html).toContain('>For example BE0123456789<');
  await page.context().close();
});

test('a double click, the back button and a second tab meet one payment', async () => {
  const made = await rig.create(await rig.organization(), order);
  const { page, complaints } = await open(phone);
  const tab = await page.context().newPage();
  await tab.goto(made.url);
  await page.goto(made.url);
  await fillIn(page);
  await page.locator('form .pay').dblclick();
  await page.waitForURL(/sandbox\/pay/);
  const payPage = page.url();

  await page.goBack();
  await page.locator('form .pay').click();
  await page.waitForURL(/sandbox\/pay/);
  expect(page.url()).toBe(payPage);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(/\/c\/[^/]+\?lang/);

  await fillIn(tab);
  await tab.locator('form .pay').click();
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
  await page.locator('form .pay').click();
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
  await page.locator('form .pay').click();
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
  await page.goto(`${rig.url}/c/i/${invoice.publicToken}?lang=fr`);
  await page.locator('html[lang=fr]').waitFor();
  await expectAccessible(page);
  // Nothing has to be scrolled for.
  const { y, height } = (await page.locator('form .pay').boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);
  await look(page, 'phone-invoice-form');
  await page.locator('[name=method][value=bancontact]').check();
  await page.locator('form .pay').click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.locator('.badge.good').waitFor();
  await waitFor(() => rig.billing.paidEvents.includes(invoice.id));
  expect(complaints).toEqual([]);
});

test('100 lines, as many as a checkout takes, are there when they are asked for', async () => {
  const lines = Array.from({ length: 100 }, (_, index) => line(`Brood van dag ${index + 1}`, 350));
  const made = await rig.create(await rig.organization(), { ...order, lines });
  const { page } = await open(desktop);
  await page.goto(made.url);
  expect(await page.getByText('Brood van dag 99').isVisible()).toBe(false);
  await page.getByText('See what you pay for (100 lines)').click();
  expect(await page.getByText('Brood van dag 99').isVisible()).toBe(true);
  await page.context().close();
});
