import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { roles, rolesByAction, type Action, type Role } from '@invoicing/rules';
import { accessibilityFaults, launchOptions, sidewaysOverflow, waitFor } from '@invoicing/testing';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { lookerAt } from './application-look';
import { RunningPlatform } from './running-platform';

// The application as people see it: the platform as it is started, a year of data, a real browser.

jest.setTimeout(240_000);

/** Set to a folder to look at what people see. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const desktop = { viewport: { width: 1280, height: 900 } };

interface Demo {
  readonly organization: string;
  readonly user: string;
  readonly links: { readonly application: string };
}

let platform: RunningPlatform;
let browser: Browser;
let demo: Demo;
let owner: BrowserContext;

beforeAll(async () => {
  [platform, browser] = await Promise.all([
    RunningPlatform.start({ env: { PAGE_RATE_LIMIT_PER_MINUTE: '100000' } }),
    chromium.launch(launchOptions()),
  ]);
  demo = await platform.admin<Demo>('demo');
  owner = await signedIn(demo.links.application);
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

/** A browser that has accepted an invitation, by the first button of its page. */
async function signedIn(signInUrl: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'nl-NL', ...options });
  const page = await context.newPage();
  await page.goto(signInUrl);
  await page.locator('button').first().click();
  await page.waitForURL(/\/app\/[0-9a-f-]{36}$/);
  await page.close();
  return context;
}

async function invited(role: Role): Promise<BrowserContext> {
  const { signInUrl } = await platform.admin<{ signInUrl: string }>(
    ...['user', 'invite', '--org', demo.organization, '--email', `${role}@example.nl`, '--role', role],
  );
  return signedIn(signInUrl);
}

/** A page of the same person at another size, in another theme or language; and what its console complained about. */
async function open(
  from: BrowserContext,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const storageState = await from.storageState();
  const context = await browser.newContext({ locale: 'nl-NL', ...options, storageState });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser itself mentions every answer that is not 200.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return { page, complaints };
}

const lookAt = lookerAt('phone');

async function look(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

async function expectGood(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  await expectFits(page);
}

async function expectFits(page: Page): Promise<void> {
  expect([page.url(), await sidewaysOverflow(page)]).toEqual([page.url(), 0]);
}

const at = (path: string): string => `${platform.url}/app/${demo.organization}${path}`;

/** The addresses in the navigation, and below them one of each kind. */
async function places(): Promise<string[]> {
  const { page } = await open(owner);
  await page.goto(at(''));
  const parts = await page
    .locator('nav a')
    .evaluateAll((links) => links.map((link) => (link as { href?: string }).href!));
  await page.goto(at('/invoices'));
  const invoice = await page.locator('tbody a').first().getAttribute('href');
  await page.context().close();
  return [...parts, `${platform.url}${invoice}`, `${platform.url}/app/account`];
}

test('an owner lands on a page that names the organisation, with all its parts', async () => {
  const { page, complaints } = await open(owner);
  await page.goto(`${platform.url}/app`);
  expect(page.url()).toBe(at(''));
  expect(await page.locator('h1').textContent()).toBe('Bakkerij De Zon');
  const links = await page
    .locator('nav a')
    .evaluateAll((found) => found.map((link) => (link as { href?: string }).href!));
  expect(links.length).toBeGreaterThanOrEqual(7);
  for (const link of links) expect([link, (await page.goto(link))?.status()]).toEqual([link, 200]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

describe.each([
  ['phone, light, nl', { ...phone, colorScheme: 'light', locale: 'nl-NL' } as const],
  ['phone, dark, en', { ...phone, colorScheme: 'dark', locale: 'en-GB' } as const],
  ['desktop, light, en', { ...desktop, colorScheme: 'light', locale: 'en-GB' } as const],
  ['desktop, dark, nl', { ...desktop, colorScheme: 'dark', locale: 'nl-NL' } as const],
])('%s', (name, options) => {
  test('every page fits, is accessible, and keeps its own security policy', async () => {
    const { page, complaints } = await open(owner, options);
    for (const url of await places()) {
      const response = await page.goto(url);
      expect([url, response?.status()]).toEqual([url, 200]);
      expect(await page.locator('html').getAttribute('lang')).toBe(options.locale.slice(0, 2));
      // Its structure is the same in both languages and at every size.
      if (name === 'phone, light, nl') await expectGood(page);
      else await expectFits(page);
      const part =
        url
          .split('/')
          .slice(5)
          .join('-')
          .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'one') || (url.endsWith('/account') ? 'account' : 'home');
      await look(page, `${name.replaceAll(', ', '-')}-${part}`);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** What of a page's content the keyboard stops at: each control with whether its focus can be seen. */
async function stopsOf(page: Page): Promise<{ wanted: string[]; met: string[]; unseen: string[] }> {
  await page.evaluate(`(() => {
    const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    window.stops = [...document.querySelectorAll('main :is(' + controls + ')')].filter(
      (each) => each.tabIndex >= 0 && each.type !== 'hidden' && each.checkVisibility({ visibilityProperty: true }),
    );
    window.met = new Set();
    window.unseen = new Set();
    addEventListener('focusin', ({ target }) => {
      const { outlineStyle } = getComputedStyle(target);
      met.add(target);
      if (outlineStyle === 'none') unseen.add(target);
    });
  })()`);
  const presses = await page.evaluate<number>(
    "document.querySelectorAll('a, button, input, select, textarea, summary, [tabindex]').length + 4 * document.querySelectorAll('[type=date]').length",
  );
  for (let press = 0; press < presses; press++) await page.keyboard.press('Tab');
  return page.evaluate(`(() => {
    const name = (each) => each.outerHTML.slice(0, 80);
    const inside = (all) => stops.filter((each) => all.has(each)).map(name);
    return { wanted: stops.map(name), met: inside(met), unseen: inside(unseen) };
  })()`);
}

test('what an owner and a bookkeeper do, in Dutch and by the keyboard alone', async () => {
  const { page, complaints } = await open(owner, { ...phone, locale: 'nl-NL' });
  await page.goto(at('/invoices?status=overdue&kind=invoice'));
  const invoice = (await page.locator('tbody a').first().getAttribute('href'))!;
  const screens = [
    ...['payment', 'refund', 'write-off', 'credit', 'resend', 'post'].map(
      (form) => `${platform.url}${invoice}/${form}`,
    ),
    ...['bank/import', 'bank/statements', 'reminders/plan', 'reminders/texts?step=1', 'books/close'].map((path) =>
      at(`/${path}`),
    ),
    ...['invoices/new', 'subscriptions/new', 'checkouts/new', 'settings/provider', 'settings/peppol'].map((path) =>
      at(`/${path}`),
    ),
  ];
  for (const url of screens) {
    const response = await page.goto(url);
    expect([url, response?.status()]).toEqual([url, 200]);
    expect([url, await page.locator('html').getAttribute('lang')]).toEqual([url, 'nl']);
    await expectGood(page);
    await look(page, `keyboard-${url.split('/').at(-1)!.replace(/\W/g, '-')}`);
    const { wanted, met, unseen } = await stopsOf(page);
    expect([url, met, unseen]).toEqual([url, wanted, []]);
  }

  await page.goto(`${platform.url}${invoice}/write-off`);
  await page.locator('#amountCents').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('0,05');
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=yes/);
  expect(await page.locator('#history').textContent()).toContain('Afboeking');
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('signing in by the code from the mail, without a mouse', async () => {
  const context = await browser.newContext({ ...phone, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${platform.url}/app`);
  await lookAt(page, 'sign-in');
  await page.keyboard.type(demo.user);
  await page.keyboard.press('Enter');
  await page.waitForURL(/code$/);
  await lookAt(page, 'code');
  const link = await waitFor(() => linkMailedTo(demo.user), 20_000);
  // What the mail links to, opened elsewhere, gives nothing away; here it brings the code along.
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(link);
  expect(await elsewhere.locator('input[name=code]').count()).toBe(0);
  await page.goto(link);
  await page.locator('#code').press('Enter');
  await page.waitForURL(at(''));
  await context.close();
});

/** The link in the newest message to an address, as the mailbox of this machine shows it. */
async function linkMailedTo(address: string): Promise<string | undefined> {
  const list = await (await fetch(`${platform.url}/dev/mail`)).text();
  const rows = list.split('<li>').filter((row) => row.includes(address));
  const [, message] = /href="([^"]+)"/.exec(rows[0] ?? '') ?? [];
  if (!message) return undefined;
  const text = await (await fetch(`${platform.url}${message}`)).text();
  return /http:\/\/[^\s"'<>&]+\/app\/sign-in\/code\?code=[0-9A-Z-]+/.exec(text)?.[0];
}

test('role by page: what the table says, and another organisation does not exist', async () => {
  const other = await platform.admin<Demo & { id: string }>('org', 'create', '--name', 'Elders', '--mode', 'test');
  const actions: Record<string, Action> = {
    '/invoices': 'invoices.read',
    '/customers': 'customers.read',
    '/products': 'products.read',
    '/subscriptions': 'subscriptions.read',
    '/checkouts': 'checkouts.read',
    '/bank': 'banking.write',
    '/reminders': 'invoices.read',
    '/books': 'exports.create',
    '/people': 'settings.read',
    '/keys': 'keys.manage',
    '/webhooks': 'webhooks.manage',
    '/history': 'history.read',
    '/settings': 'settings.read',
  };
  for (const role of roles) {
    const context = role === 'owner' ? owner : await invited(role);
    for (const [path, action] of Object.entries(actions)) {
      const allowed = (rolesByAction[action] as readonly Role[]).includes(role);
      const own = await context.request.get(at(path), { maxRedirects: 0 });
      expect([role, path, own.status()]).toEqual([role, path, allowed ? 200 : 403]);
      const foreign = await context.request.get(`${platform.url}/app/${other.id}${path}`, { maxRedirects: 0 });
      expect([role, path, foreign.status()]).toEqual([role, path, 404]);
    }
  }
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect((await owner.request.fetch(at('/invoices'), { method })).status()).toBe(405);
});
