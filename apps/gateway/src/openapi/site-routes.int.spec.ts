import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import express from 'express';
import { chromium, type Browser, type Page } from 'playwright-core';
import { publicErrorCodes } from '@invoicing/errors';
import { createLogger } from '@invoicing/telemetry';
import { launchOptions, tempFolder } from '@invoicing/testing';
import { beginRequests } from '../edge/edge-request';
import { createExpressServer, listenAtEdge } from '../edge/server';
import { pageGuard } from '../pages/page-guard';
import { operations } from '../routes/route-table';
import { printDocument } from './print-document';
import { mountSite } from './site-routes';

const ROOT = resolve(__dirname, '../../../..');
const folder = tempFolder();
let base: string;
let browser: Browser;
let close: () => Promise<void>;

beforeAll(async () => {
  const writer = pathToFileURL(join(ROOT, 'apps/gateway/site.mjs')).href;
  // As the build does it.
  execFileSync(process.execPath, [
    '--input-type=module',
    '--eval',
    `await (await import(${JSON.stringify(writer)})).writeSite(${JSON.stringify(folder.path)})`,
  ]);
  const app = express();
  const begin = beginRequests(createLogger('site', 'silent'));
  app.use((request, response, next) => {
    begin(request, response);
    next();
  });
  mountSite(
    app,
    { folder: folder.path, document: printDocument, publicUrl: 'https://invoicing.example' },
    pageGuard(6_000),
  );
  const server = await listenAtEdge(createExpressServer(app), '127.0.0.1', 0);
  base = `http://127.0.0.1:${server.port}`;
  browser = await chromium.launch(launchOptions());
  close = () => server.close();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await close?.();
  folder.remove();
});

/** A page, and what it complained about or asked of anybody else. */
async function open(path: string, colorScheme: 'light' | 'dark'): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ colorScheme });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== '127.0.0.1' && protocol !== 'data:' && protocol !== 'blob:') faults.push(request.url());
  });
  await page.goto(base + path);
  return { page, faults };
}
async function axe(page: Page, rules?: string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page });
  const { violations } = await (rules ? builder.withRules(rules) : builder).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

describe.each(['light', 'dark'] as const)('in a %s theme', (theme) => {
  test('the reference shows every operation under its policy, asks nobody else, and axe finds nothing', async () => {
    const { page, faults } = await open('/docs', theme);
    await page.getByText(operations[0]!.summary).first().waitFor({ timeout: 30_000 });
    const text = await page.locator('nav, aside').first().innerText();
    for (const { summary } of operations) expect(text).toContain(summary);
    expect(faults).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await page.context().close();
  }, 120_000);
});

test('axe finds nothing on the landing page and on every guide, in either theme, and their links lead somewhere', async () => {
  const guides = readdirSync(join(folder.path, 'docs')).filter(
    (file) => file.endsWith('.html') && file !== 'index.html',
  );
  const { page, faults } = await open('/', 'light');
  const targets = new Set<string>();
  for (const path of ['/', ...guides.map((file) => `/docs/${file.replace('.html', '')}`)]) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(base + path);
    const found = await axe(page);
    // The themes differ in their colours alone.
    await page.emulateMedia({ colorScheme: 'dark' });
    expect([path, faults, found, await axe(page, ['color-contrast'])]).toEqual([path, [], [], []]);
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
    for (const link of links.filter((each) => each.startsWith(`${base}/docs`))) targets.add(link);
  }
  for (const target of targets) {
    const [address, anchor] = target.split('#');
    const answer = await (await fetch(address!)).text();
    expect(answer).toContain('<html');
    if (anchor) expect(answer).toContain(`id="${anchor}"`);
  }
  await page.context().close();
}, 300_000);

test('a test key behind the # is filled in and taken out of the address; nothing else is taken from there', async () => {
  const key = `ik_test_${'a1'.repeat(24)}Z`;
  const { page, faults } = await open(`/docs#key=${key}`, 'light');
  await page.getByText(operations[0]!.summary).first().waitFor({ timeout: 30_000 });
  expect(new URL(page.url()).hash).not.toContain('key');
  const values = await page.locator('input').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
  expect(values).toContain(key);
  expect(faults).toEqual([]);
  await page.context().close();
}, 60_000);

test('every error code has its section, where the answers link to', async () => {
  const html = await (await fetch(`${base}/docs/errors`)).text();
  for (const code of publicErrorCodes) expect(html).toContain(`<h2 id="${code}">`);
});
