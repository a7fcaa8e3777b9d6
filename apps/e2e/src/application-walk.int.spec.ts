import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { launchOptions } from '@invoicing/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { RunningPlatform } from './running-platform';

// The first minutes of somebody who was invited into a new organisation, by the list that says what to do first.

jest.setTimeout(240_000);

/** Set to a folder to look at what people see. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

let platform: RunningPlatform;
let browser: Browser;

beforeAll(async () => {
  [platform, browser] = await Promise.all([
    RunningPlatform.start({ env: { PAGE_RATE_LIMIT_PER_MINUTE: '100000' } }),
    chromium.launch(launchOptions()),
  ]);
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

async function look(page: Page, name: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)])).toEqual([]);
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `walk-${name}.png`), fullPage: true });
}

test('from an invitation to a first invoice that was sent, by the list that ticks itself off', async () => {
  const { id } = await platform.admin<{ id: string }>('org', 'create', '--name', 'Atelier Zomer', '--mode', 'test');
  const { signInUrl } = await platform.admin<{ signInUrl: string }>(
    ...['user', 'invite', '--org', id, '--email', 'zomer@example.nl', '--role', 'owner'],
  );
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const home = `${platform.url}/app/${id}`;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).click();
  const listed = () => page.locator('section', { hasText: 'To your first invoice' }).textContent();
  const startedAt = performance.now();

  await page.goto(signInUrl);
  await look(page, '1-invitation');
  await press('Accept and sign in');
  await page.waitForURL(home);
  expect(await listed()).toContain('0 of 5 done');
  await look(page, '2-home');

  await follow('Say who you are: address and bank account');
  await page.locator('#addressLine1').fill('Kerkstraat 1');
  await page.locator('#postalCode').fill('1017 GB');
  await page.locator('#city').fill('Amsterdam');
  await page.locator('#btwId').fill('NL001234567B01');
  await page.locator('#kvkNumber').fill('12345678');
  await page.locator('#iban').fill('NL91 ABNA 0417 1643 00');
  await page.locator('#email').fill('zomer@example.nl');
  await look(page, '3-company');
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
  await look(page, '4-draft');
  await press('Save and send…');
  await page.waitForURL(/issue$/);
  await look(page, '5-send');
  await press('Issue and e-mail');
  await page.waitForURL(/invoices\/[0-9a-f-]{36}\?done=yes/);
  expect(await page.locator('h1').textContent()).toMatch(/^\d{4}-0001$/);
  await look(page, '6-sent');
  if (SCREENSHOTS) process.stderr.write(`walk: ${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
  const mails = await platform.admin<{ to: string }[]>('mail', 'list', '--to', 'sterre@example.nl');
  expect(mails).toHaveLength(1);

  await page.goto(home);
  expect(await listed()).toContain('4 of 5 done');
  await look(page, '7-home');
});
