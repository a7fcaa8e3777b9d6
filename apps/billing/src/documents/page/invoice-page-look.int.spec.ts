import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { accessibilityFaults, launchOptions, sidewaysOverflow } from '@invoicing/testing';
import { PNG } from 'pngjs';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { FrozenInvoice } from '../../invoices/invoice';
import type { InvoicePageSource } from './page-view';
import {
  creditNote,
  dutchInvoice,
  exemptInvoice,
  inclusiveInvoice,
  longInvoice,
  prepaidEnglishInvoice,
  reverseChargeInvoice,
  unrulyInvoice,
} from '../testing/sample-invoices';
import { sampleAccount, samplePayment } from '../testing/sample-account';
import { epcFields, readQr } from '../testing/read-qr';
import { serveInvoicePages } from '../testing/serve-invoice-pages';

// `SHEETS=/tmp/sheets npx jest …` leaves screenshots there to be looked at.
const SHEETS = process.env['SHEETS'];
const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true },
  desktop: { viewport: { width: 1280, height: 900 } },
} as const;

const source = (invoice: FrozenInvoice, publicToken: string, rest: Partial<InvoicePageSource> = {}) => ({
  invoice: { ...invoice, publicToken },
  account: sampleAccount(invoice),
  today: '2026-11-25',
  hasEInvoice: true,
  ...rest,
});
const sources: Record<string, InvoicePageSource> = {
  open: source(dutchInvoice, 'open-000000000000000000'),
  overdue: source(reverseChargeInvoice, 'overdue-0000000000000000', { today: '2027-01-02' }),
  paid: source(exemptInvoice, 'paid-000000000000000000', {
    account: sampleAccount(exemptInvoice, [samplePayment(exemptInvoice)]),
    hasEInvoice: false,
  }),
  prepaid: source(prepaidEnglishInvoice, 'prepaid-0000000000000000'),
  credit: source(creditNote, 'credit-000000000000000000'),
  partly: source(dutchInvoice, 'partly-0000000000000000', {
    account: sampleAccount(dutchInvoice, [samplePayment(dutchInvoice, { amountCents: 200_000 })]),
  }),
  terms: source(inclusiveInvoice, 'terms-00000000000000000'),
  unruly: source(unrulyInvoice, 'unruly-0000000000000000000'),
  long: source(
    { ...longInvoice, lines: Array.from({ length: 120 }, () => longInvoice.lines[0]!) },
    'long-00000000000000000000',
    { test: true },
  ),
};

let browser: Browser;
let served: Awaited<ReturnType<typeof serveInvoicePages>>;
beforeAll(async () => {
  browser = await chromium.launch(launchOptions());
  served = await serveInvoicePages(Object.values(sources), async (_organization, token) => ({
    available: true,
    url: `https://pay.example/c/i/${token}`,
  }));
}, 60_000);
afterAll(async () => {
  await browser.close();
  await served.close();
});

async function withPage<T>(
  screen: keyof typeof SCREENS,
  dark: boolean,
  path: string,
  look: (page: Page, faults: string[]) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ ...SCREENS[screen], colorScheme: dark ? 'dark' : 'light' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  try {
    await page.goto(`${served.url}${path}`);
    return await look(page, faults);
  } finally {
    await context.close();
  }
}

const cases = [
  ...Object.keys(sources).map((name) => ({ name, screen: 'phone' as const, dark: name === 'paid' })),
  { name: 'open', screen: 'desktop' as const, dark: false },
  { name: 'overdue', screen: 'desktop' as const, dark: true },
  { name: 'partly', screen: 'desktop' as const, dark: false },
  { name: 'terms', screen: 'desktop' as const, dark: false },
  { name: 'unruly', screen: 'desktop' as const, dark: false },
];

test.each(cases)('$name on a $screen (dark: $dark) is tidy and accessible', async ({ name, screen, dark }) => {
  await withPage(screen, dark, `/p/${sources[name]!.invoice.publicToken}`, async (page, faults) => {
    expect(await accessibilityFaults(page)).toEqual([]);
    // Nothing sticks out sideways, nothing was blocked by the policy.
    expect(await sidewaysOverflow(page)).toBe(0);
    expect(faults).toEqual([]);
    if (!SHEETS) return;
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    mkdirSync(SHEETS, { recursive: true });
    await page.screenshot({ path: join(SHEETS, `page-${name}-${screen}${dark ? '-dark' : ''}.png`), fullPage: true });
  });
});

test('the code on the page is read back field by field', async () => {
  await withPage('phone', true, `/p/${sources['open']!.invoice.publicToken}`, async (page) => {
    const { width, height, data } = PNG.sync.read(await page.locator('.qr svg').screenshot());
    expect(epcFields(readQr({ width, height, data })!.text)).toEqual({
      tag: 'BCD',
      version: '002',
      charset: '1',
      identification: 'SCT',
      bic: 'ABNANL2A',
      name: 'Studio Noorderlicht B.V.',
      iban: 'NL91ABNA0417164300',
      amount: 'EUR6531.58',
      purpose: '',
      reference: '',
      text: '2026-0042',
    });
  });
});

test('of an invoice that is partly paid, code and bank details ask for the rest', async () => {
  await withPage('phone', false, `/p/${sources['partly']!.invoice.publicToken}`, async (page) => {
    const { width, height, data } = PNG.sync.read(await page.locator('.qr svg').screenshot());
    expect(epcFields(readQr({ width, height, data })!.text)).toMatchObject({ amount: 'EUR4531.58', text: '2026-0042' });
    expect(await page.locator('.amount').textContent()).toBe('€\u00a04.531,58');
    expect(await page.locator('[data-copy="4531,58"]').count()).toBe(1);
  });
});

test('bank details are copied as a bank takes them, and it is said', async () => {
  await withPage('desktop', false, `/p/${sources['open']!.invoice.publicToken}`, async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied: string[] = [];
    for (const button of await page.locator('[data-copy]').all()) {
      await button.click();
      await page.locator('#copied', { hasText: 'Gekopieerd' }).waitFor({ state: 'attached' });
      copied.push((await page.evaluate('navigator.clipboard.readText()')) as string);
    }
    expect(copied).toEqual(['NL91ABNA0417164300', 'ABNANL2A', 'Studio Noorderlicht B.V.', '6531,58', '2026-0042']);
  });
});

test('without script all is there but the copy buttons', async () => {
  const context = await browser.newContext({ ...SCREENS.phone, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${served.url}/p/${sources['open']!.invoice.publicToken}`);
  expect(await page.getByRole('link', { name: 'Online betalen' }).getAttribute('href')).toBe(
    'https://pay.example/c/i/open-000000000000000000?lang=nl',
  );
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.getByText('NL91').isVisible()).toBe(true);
  await context.close();
});

test('on a phone 120 lines are there when they are asked for; what is to be paid, and where, comes first', async () => {
  await withPage('phone', false, `/p/${sources['long']!.invoice.publicToken}`, async (page) => {
    const line = page.locator('.lines tbody tr').first();
    expect(await line.isVisible()).toBe(false);
    const { y, height } = (await page.getByRole('link', { name: 'Online betalen' }).boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(SCREENS.phone.viewport.height);
    expect(await page.locator('.test-mark').textContent()).toContain('TEST');
    await page.getByText('Toon alle 120 regels').click();
    expect(await line.isVisible()).toBe(true);
  });
  await withPage('desktop', false, `/p/${sources['long']!.invoice.publicToken}`, async (page) =>
    expect(await page.locator('.lines tbody tr').first().isVisible()).toBe(true),
  );
});

test('the font is ours, and a profile’s colour is that of its buttons', async () => {
  await withPage('phone', false, `/p/${sources['open']!.invoice.publicToken}`, async (page) => {
    expect(await page.evaluate("document.fonts.ready.then(() => document.fonts.check('600 16px Inter'))")).toBe(true);
    const button = page.getByRole('link', { name: 'Online betalen' });
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(dutchInvoice.style.accentColor.slice(at, at + 2), 16));
    const color = await button.evaluate((each) => getComputedStyle(each).backgroundColor);
    expect(color).toBe(`rgb(${red}, ${green}, ${blue})`);
  });
});

test('the page that says that there is none is tidy too', async () => {
  await withPage('phone', false, '/p/AAAAAAAAAAAAAAAAAAAAAAAA', async (page) => {
    expect(await accessibilityFaults(page)).toEqual([]);
    if (SHEETS) await page.screenshot({ path: join(SHEETS, 'page-404-phone.png') });
  });
});
