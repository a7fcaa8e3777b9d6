// `npm run pictures [-- file.png]`: starts the built platform with demo data and takes a picture of every surface, on a desk by day and by night and on
// a phone by night, all beside each other in one file (dist/pictures.png): what differs between them is seen at once. Ends within LIMIT_MS, whatever hangs.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const LIMIT_MS = 5 * 60_000;
const STEP_MS = 20_000;
/** Of a picture, in px of the page; what is longer is cut off. */
const SHOWN = 900;
const DESK = { width: 1_280, height: SHOWN };
const LOOKS = [
  { colorScheme: 'light', viewport: DESK },
  { colorScheme: 'dark', viewport: DESK },
  { colorScheme: 'dark', viewport: { width: 390, height: SHOWN }, isMobile: true },
];

let cookies;

const target = resolve(process.argv[2] ?? 'dist/pictures.png');
const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
const env = { ...process.env, DATA_DIR: folder, GATEWAY_PORT: String(await freePort()), LOG_LEVEL: 'warn' };
const base = `http://127.0.0.1:${env.GATEWAY_PORT}`;
const admin = (...args) =>
  JSON.parse(
    execFileSync(process.execPath, ['dist/admin/main.js', ...args, '--json'], {
      ...{ env, encoding: 'utf8', timeout: 120_000 },
    }),
  );

const platform = spawn(process.execPath, ['dist/platform/main.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const isOver = new Promise((over) => platform.once('exit', over));
const late = setTimeout(() => {
  console.error(`not done in ${LIMIT_MS / 60_000} minutes`);
  platform.kill('SIGKILL');
  process.exit(1);
}, LIMIT_MS);
try {
  await ready();
  const executablePath =
    process.env['CHROMIUM_PATH'] ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const all = [];
    for (const [name, path, prepare] of surfaces()) all.push([name, await picturesOf(browser, path, prepare)]);
    await compose(browser, all);
    console.log(`${all.length} surfaces in ${target}`);
  } finally {
    await browser.close();
  }
} finally {
  platform.kill('SIGTERM');
  await isOver;
  clearTimeout(late);
  rmSync(folder, { recursive: true, force: true });
}

function ready() {
  return new Promise((started, fail) => {
    void isOver.then((code) => fail(new Error(`the platform stopped with ${code}`)));
    platform.stdout.on('data', (text) => /^ready http/m.test(text) && started());
  });
}

/** Name, address, and what is done there before the picture is taken. */
function surfaces() {
  const { organization, links } = admin('demo');
  const invoices = admin('invoice', 'list', '--org', organization).invoices;
  const open = invoices.find(({ status }) => status === 'sent');
  const paid = invoices.find(({ status }) => status === 'paid');
  admin('invoice', 'credit', paid.id, '--reason', 'Te laat geleverd');
  admin('reminder', 'settings', '--org', organization, '--on', '--days', '1');
  const soon = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  admin('reminders', 'run', '--org', organization, '--as-of', soon);
  const mails = admin('mail', 'list', '--org', organization);
  const mail = (subject) => mailPage(mails.find((each) => subject.test(each.subject)));
  const application = (path) => [
    '/app/sign-in',
    async (page) => {
      await signIn(page, links.application);
      await page.goto(`${base}/app/${organization}${path}`);
    },
  ];
  return [
    ['start page', '/'],
    ['reference', '/docs/', (page) => page.locator('h1').first().waitFor()],
    ['guide', '/docs/quickstart'],
    ['checkout', links.openCheckout],
    ['checkout, refused', links.openCheckout, refuse],
    ['checkout, absent', `/c/${'x'.repeat(32)}`],
    ['invoice, to pay', `/p/${open.publicToken}`],
    ['invoice, credited', `/p/${paid.publicToken}`],
    ['invoice, paying', `/c/i/${open.publicToken}`],
    ['PDF (its SVG, from the same source)', `/p/${open.publicToken}/invoice.svg`],
    ['mail, invoice', mail(/^(\[TEST\] )?(Factuur|Invoice)/)],
    ['mail, credit note', mail(/^(\[TEST\] )?(Creditnota|Credit note)/)],
    ['mail, reminder', mail(/herinnering|reminder/i)],
    ['mailbox', '/dev/mail'],
    ['webhooks', links.webhooks],
    ['application, signing in', '/app/sign-in'],
    ['application, home', ...application('')],
    ['application, invoices', ...application('/invoices')],
    ['application, new invoice', ...application('/invoices/new')],
    ['application, reminders', ...application('/reminders')],
  ];
}

function mailPage({ id }) {
  const file = readdirSync(join(folder, 'mail')).find((name) => name.includes(id));
  return `/dev/mail/${file}/html`;
}

/** A form with a fault in it. */
async function refuse(page) {
  await page.locator('#type-company').check();
  await page.locator('#email').fill('anna@');
  await page.locator('.pay').click();
  await page.locator('.notice').waitFor();
}

/** The link works once: the session goes on in every picture after it. */
async function signIn(page, link) {
  if (cookies !== undefined) return page.context().addCookies(cookies);
  await page.goto(link);
  await page.getByRole('button').first().click();
  await page.waitForURL(/\/app\/[0-9a-f-]{36}/);
  cookies = await page.context().cookies();
}

async function picturesOf(browser, path, prepare = () => undefined) {
  const pictures = [];
  for (const look of LOOKS) {
    const context = await browser.newContext({ ...look, deviceScaleFactor: 0.5, locale: 'nl-NL' });
    context.setDefaultTimeout(STEP_MS);
    const page = await context.newPage();
    await page.goto(new URL(path, base).href);
    await prepare(page);
    await page.evaluate('document.fonts.ready.then(() => true)');
    pictures.push((await page.screenshot()).toString('base64'));
    await context.close();
  }
  return pictures;
}

async function compose(browser, all) {
  const figures = all.map(
    ([name, pictures]) =>
      `<figure><figcaption>${name}</figcaption>${pictures.map((data) => `<img src="data:image/png;base64,${data}">`).join('')}</figure>`,
  );
  const page = await browser.newPage({ viewport: { width: 3_100, height: 1_000 } });
  await page.setContent(`<style>
    body { margin: 12px; background: #777; font: 600 20px sans-serif; display: flex; flex-wrap: wrap; gap: 16px; }
    figure { margin: 0; } img { height: ${SHOWN / 2}px; margin-right: 6px; } figcaption { color: white; }
  </style>${figures.join('')}`);
  mkdirSync(dirname(target), { recursive: true });
  await page.screenshot({ path: target, fullPage: true, timeout: 60_000 });
}

function freePort() {
  return new Promise((answer) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => answer(port));
    });
  });
}
