import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import express from 'express';
import { chromium } from 'playwright-core';
import { createLogger } from '@invoicing/telemetry';
import { launchOptions, tempFolder } from '@invoicing/testing';
import { beginRequests } from '../edge/edge-request';
import { createExpressServer, listenAtEdge } from '../edge/server';
import { printDocument } from './print-document';
import { operations } from '../routes/route-table';
import { pageGuard } from '../pages/page-guard';
import { mountDocs } from './reference-routes';

const ROOT = resolve(__dirname, '../../../..');
const ASSETS = join(ROOT, 'apps/gateway/assets');

test('the reference renders in a browser under its own policy, without asking anyone else', async () => {
  // What the build puts together.
  const folder = tempFolder();
  cpSync(ASSETS, folder.path, { recursive: true });
  const copies = JSON.parse(readFileSync(join(ASSETS, 'from-packages.json'), 'utf8')) as Record<string, string>;
  for (const [asset, file] of Object.entries(copies))
    cpSync(join(ROOT, 'node_modules', file), join(folder.path, asset));
  const app = express();
  const begin = beginRequests(createLogger('docs', 'silent'));
  app.use((request, response, next) => {
    begin(request, response);
    next();
  });
  mountDocs(app, join(folder.path, 'docs'), printDocument, pageGuard(600));
  const server = await listenAtEdge(createExpressServer(app), '127.0.0.1', 0);
  const browser = await chromium.launch(launchOptions());
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    const strangers: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (hostname !== '127.0.0.1' && protocol !== 'data:' && protocol !== 'blob:') strangers.push(request.url());
    });
    await page.goto(`http://127.0.0.1:${server.port}/docs`);
    await page.waitForSelector('.opblock', { timeout: 20_000 });
    // Every operation, the open ones, and the webhook.
    expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(operations.length + 2);
    await page.locator('.opblock-summary').filter({ hasText: '/api/v1/invoices' }).first().click();
    await page.waitForSelector('.btn.execute', { timeout: 10_000 });
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
    folder.remove();
  }
}, 90_000);
