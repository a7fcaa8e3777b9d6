import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InvoiceKind } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { MailService, WebhooksService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { brand } from '@invoicing/design';
import { accessibilityFaults, launchOptions, testCall } from '@invoicing/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { composeInvoiceMail } from '../mail/compose-invoice-mail';
import { composeSignInMail } from '../mail/compose-sign-in-mail';
import { sampleInvoice } from '../testing/sample-invoice';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';

// The pages for trying out, as a browser shows them.

jest.setTimeout(60_000);

let service: TestNotification;
let browser: Browser;
beforeAll(async () => {
  service = await startTestNotification();
  browser = await chromium.launch(launchOptions());
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };
const open = async (path: string, viewport = DESK): Promise<Page> => {
  const page = await browser.newPage({ viewport });
  await page.goto(service.httpUrl + path);
  return page;
};

test('every message can be read in both themes, whatever colour and logo the seller has; so can the mailbox', async () => {
  const context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  const invoice = sampleInvoice({ test: true, note: 'Tot ziens.' });
  const credit = {
    kind: InvoiceKind.CREDIT_NOTE,
    creditedNumber: '2026-0000',
    reason: 'Te laat',
    creditedOpenCents: 0,
  };
  const yellow = brand({ name: 'De Zon', accentColor: '#ffe600' });
  const black = brand({ name: 'De Zon', accentColor: '#101010' });
  const messages = [
    composeInvoiceMail(invoice, undefined, yellow),
    composeInvoiceMail({ ...invoice, ...credit, language: 'de' }, undefined, black),
    composeInvoiceMail({ ...invoice, language: 'fr' }, reminder),
    composeSignInMail({ url: 'https://a.example', code: '123456', organizationName: '', language: 'nl' }),
  ];
  for (const { html } of messages) {
    await page.setContent(html);
    expect(await accessibilityFaults(page)).toEqual([]);
  }
  await page.goto(`${service.httpUrl}/dev/mail`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(`${service.httpUrl}/dev/webhooks/${randomUUID()}`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await context.close();
});

const reminder = {
  ...{ withdrawn: false, again: true, step: 2, last: false, text: '' },
  claim: { openCents: 12_100, costsCents: 4_000, interestCents: 123 },
};

test.each([
  ['a phone', PHONE],
  ['a desk', DESK],
])('the whole message is seen on %s', async (_, viewport) => {
  const organizationId = service.billing.addOrganization();
  const { id: invoiceId } = service.billing.addInvoice(organizationId, { number: 'EEN-HEEL-LANG-NUMMER-2026-000123' });
  await service.channel('billing').client(MailService).sendInvoice({ organizationId, invoiceId }, testCall());
  const file = readdirSync(join(service.dataDir, 'mail')).sort().at(-1)!;
  const page = await open(`/dev/mail/${file}`, viewport);
  const message = page.frames()[1]!;
  await message.waitForLoadState();
  const [content, frame] = await message.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
  expect(content).toBeLessThanOrEqual(frame!);
  await page.close();
});

test('a receiver says of each webhook whether it verifies, and shows what comes meanwhile', async () => {
  const organizationId = service.billing.addOrganization();
  const path = `/dev/webhooks/${randomUUID()}`;
  const url = service.httpUrl + path;
  const page = await open(path);
  const newest = page.locator('summary').first();
  const untilShown = (text: RegExp): Promise<void> => newest.filter({ hasText: text }).waitFor({ timeout: 15_000 });
  const { endpoint, secret } = await service
    .channel('admin')
    .client(WebhooksService)
    .createEndpoint({ organizationId, url, events: [] }, testCall());
  await service.channel('admin').client(WebhooksService).sendTestEvent({ endpointId: endpoint!.id }, testCall());
  await untilShown(/webhook\.test\s*verified/);

  const forged = { 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  await fetch(url, {
    method: 'POST',
    body: '{"type":"<script>document.title = 1</script>"}',
    headers: { ...forged, 'webhook-signature': 'v1,AAAA' },
  });
  await untilShown(/<script>document\.title = 1<\/script>\s*refused/);
  expect(await page.locator('details[open]').count()).toBe(1);
  expect(await page.title()).toBe('Webhooks received');
  expect(await page.content()).not.toContain(secret);
  await page.close();
});

test('where no endpoint points there is nothing to check with, and the page says so', async () => {
  const path = `/dev/webhooks/${randomUUID()}`;
  await fetch(service.httpUrl + path, { method: 'POST', body: 'not JSON' });
  const page = await open(path);
  expect(await page.locator('summary').innerText()).toMatch(/not JSON\s*unknown$/);
  expect(await page.locator('details').innerText()).toContain('no endpoint points here');
  await page.close();
});
