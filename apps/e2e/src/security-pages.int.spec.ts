import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { create } from 'xmlbuilder2';
import { Mode, OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { launchOptions, testCall, waitFor } from '@invoicing/testing';
import { openChannel } from '@invoicing/rpc';
import { Api } from './api';
import { RunningPlatform } from './running-platform';

// What strangers see, and what hostile texts and hostile clients come to, on the running platform.

jest.setTimeout(60_000);

interface Data<T> {
  readonly data: T;
}

// Breaks out of text, attributes, templates, CDATA, PDF strings and dictionaries, if anything lets it.
const HOSTILE = `x'"></title></textarea><script>window.pwned=1</script><img src=x onerror=window.pwned=1>{{7*7}}<%= 7*7 %>\${7*7}]]>&amp;<!ENTITY>)>>/OpenAction<</S/JavaScript/JS(app.alert(1))>>`;
const PAYER = 'payer@example.nl';
// The gateway gives a client ten seconds for its headers.
const SLOW_LIMIT_MS = 16_000;

let platform: RunningPlatform;
let api: Api;
let key: string;
let browser: Browser;
let invoice: { id: string; public_token: string };
let checkout: { id: string; url: string };
let slow: readonly Promise<{ text: string; afterMs: number }>[];

beforeAll(async () => {
  platform = await RunningPlatform.start({
    env: { RATE_LIMIT_PER_MINUTE: '100000', PAGE_RATE_LIMIT_PER_MINUTE: '100000' },
  });
  slow = [slowClient('GET /api/health HTTP/1.1\r\nhost: a\r\n', 'x: y\r\n'), slowClient('', '')];
  const org = await platform.admin(
    ...['org', 'create', '--name', HOSTILE, '--mode', 'test', '--kvk-number', '12345678', '--btw-id', 'NL001234567B01'],
    ...['--iban', 'NL91ABNA0417164300', '--address-line1', HOSTILE, '--postal-code', '3512 AB', '--city', 'Utrecht'],
  );
  await platform.admin('provider', 'connect', '--org', org['id']!, '--provider', 'sandbox');
  ({ key } = await platform.admin<{ key: string }>('key', 'create', '--org', org['id']!, '--scopes', 'all'));
  api = new Api(platform.url, key);
  const make = async <T>(path: string, body: object): Promise<T> => {
    const answer = await api.post<Data<T>>(path, body);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body.data;
  };
  const product = await make<{ id: string }>('/api/v1/products', { name: HOSTILE, unitPriceCents: 2500 });
  const customer = await make<{ id: string }>('/api/v1/customers', {
    ...{ name: HOSTILE, companyName: HOSTILE, email: PAYER, addressLine1: HOSTILE, postalCode: '1234 AB' },
    ...{ city: '<b>Utrecht</b>', countryCode: 'NL', kvkNumber: '87654321', externalId: HOSTILE },
  });
  const lines = [
    { description: `${HOSTILE}\r\nBcc: evil@example.com`, unitPriceCents: 100 },
    { productId: product.id },
  ];
  invoice = await make('/api/v1/invoices', { customerId: customer.id, lines, send: true });
  const prefill = { name: HOSTILE, companyName: HOSTILE, addressLine1: HOSTILE, email: PAYER };
  checkout = await make('/api/v1/checkouts', { title: HOSTILE.slice(0, 200), lines, customer: prefill });
  browser = await chromium.launch(launchOptions());
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
});

/** Sends `first`, then `drip` every second, until it is cut off. */
async function slowClient(first: string, drip: string): Promise<{ text: string; afterMs: number }> {
  const startedAt = performance.now();
  const socket = connect(Number(new URL(platform.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // A reset is an end, too.
  socket.on('error', () => undefined);
  socket.write(first);
  const timer = setInterval(() => socket.write(drip), 1_000);
  const giveUp = setTimeout(() => socket.destroy(), 2 * SLOW_LIMIT_MS);
  // Not `once`: it would reject at an error.
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  clearTimeout(giveUp);
  return { text, afterMs: performance.now() - startedAt };
}

/** Fails when anything of a hostile text became more than text in what the browser shows. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate('window.pwned')).toBeUndefined();
  expect(await page.locator('img[src="x"], [onerror], script:not([src])').count()).toBe(0);
}

async function open(address: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  page.on('dialog', (dialog) => void dialog.dismiss());
  await page.goto(address);
  await expectHarmless(page);
  return page;
}

describe('hostile names, titles and descriptions', () => {
  test('are text on the page of an invoice', async () => {
    const page = await open(`${platform.url}/p/${invoice.public_token}`);
    expect(await page.textContent('body')).toContain(HOSTILE);
    await page.close();
  });

  test('are text on the page of a checkout, in its form, at the sandbox bank and on the receipt', async () => {
    const page = await open(checkout.url);
    expect(await page.textContent('h1')).toBe(HOSTILE.slice(0, 200));
    expect(await page.inputValue('input[name=addressLine1]')).toBe(HOSTILE);
    await page.locator('input[name=method][value=ideal]').check({ force: true });
    await page.locator('main form button[type=submit]').click();
    await page.waitForURL(/\/sandbox\/pay\//);
    await expectHarmless(page);
    await page.locator('button[value=paid]').click();
    await page.waitForURL(/\/c\//);
    await expectHarmless(page);
    expect(await page.textContent('body')).toContain(HOSTILE.slice(0, 200));
    await page.close();
  });

  test('are text in a PDF that does nothing by itself', async () => {
    const pdf = await fetch(`${platform.url}/p/${invoice.public_token}/invoice.pdf`);
    const input = Buffer.from(await pdf.arrayBuffer()).toString('base64');
    const read = execFileSync(process.execPath, [join(__dirname, 'pdf-actions.mjs')], { input, encoding: 'utf8' });
    const { text, links, ...active } = JSON.parse(read) as { text: string; links: string[] };
    expect(active).toEqual({ scripts: null, openAction: null, attachments: expect.any(Array) });
    expect(text.replaceAll(/\s/g, '')).toContain('<script>window.pwned=1</script>');
    expect(links.every((each) => each.startsWith(platform.url))).toBe(true);
  });

  test('are text in the e-invoice', async () => {
    const answer = await fetch(`${platform.url}/p/${invoice.public_token}/invoice.xml`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('xml')]);
    const xml = await answer.text();
    expect(xml).not.toMatch(/<!(DOCTYPE|ENTITY)|<script|<img/);
    const texts: string[] = [];
    const names = new Set<string>();
    create(xml).each(
      ({ node }) => {
        if (node.nodeType === 1) names.add(node.nodeName);
        else texts.push(node.nodeValue ?? '');
      },
      false,
      true,
    );
    expect([...names].filter((name) => !/^(Invoice|c[ab]c:[A-Za-z]+)$/.test(name))).toEqual([]);
    expect(texts).toContain(HOSTILE);
  });

  test('make no header and no recipient of an e-mail, and are text in it', async () => {
    const folder = join(platform.dataDir, 'mail');
    const [file] = await waitFor(() => {
      const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
      return files.length > 0 && files;
    });
    const mail = await PostalMime.parse(readFileSync(join(folder, file!)));
    expect(mail.to).toEqual([expect.objectContaining({ address: PAYER })]);
    expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
    expect(mail.from?.name).toBe(HOSTILE);
    const known = /^(message-id|date|from|reply-to|to|subject|auto-submitted|mime-version|content-[a-z-]+)$/;
    expect(mail.headers.map(({ key: name }) => name).filter((name) => !known.test(name))).toEqual([]);
    expect(mail.html).not.toMatch(/<script|<img src=x/);

    const page = await open(`${platform.url}/dev/mail/${file!}`);
    const message = page.frames().find((frame) => frame.url().endsWith('/html'));
    expect(await message!.locator('script, img, [onerror]').count()).toBe(0);
    await page.close();
    await (await open(`${platform.url}/dev/mail`)).close();
  });

  test('that carry a line break are refused where one line is wanted', async () => {
    for (const name of ['Zon\r\nBcc: evil@example.com', 'Zon\nX: y', 'Zon\rX: y']) {
      await expect(platform.admin('org', 'create', '--name', name)).rejects.toThrow();
      expect(await api.post('/api/v1/customers', { name })).toMatchObject({ status: 400 });
    }
    for (const email of [
      'a@b.nl, c@d.nl',
      'a@b.nl,c@d.nl',
      '<a@b.nl>',
      'a@b.nl\r\nBcc: c@d.nl',
      '"x y"@b.nl',
      'a@b.nl;c',
    ])
      expect({ email, ...(await api.post('/api/v1/customers', { name: 'Jan', email })) }).toMatchObject({
        status: 400,
      });
  });
});

test('public addresses carry at least 128 random bits', async () => {
  const lines = [{ unitPriceCents: 100 }];
  const tokens: string[] = [];
  for (let made = 0; made < 20; made++) {
    const { body } = await api.post<Data<{ url: string }>>('/api/v1/checkouts', { title: 'Taart', lines });
    tokens.push(body.data.url.split('/').at(-1)!);
  }
  const listed = await api.get<Data<{ public_token: string }[]>>('/api/v1/invoices');
  tokens.push(...listed.body.data.map(({ public_token: token }) => token));
  expect(new Set(tokens).size).toBe(tokens.length);
  for (const token of tokens) expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16);
  // Random in every place: no character stands still, and nothing is counted up.
  const checkouts = tokens.slice(0, 20);
  for (let at = 0; at < 20; at++) expect(new Set(checkouts.map((token) => token[at])).size).toBeGreaterThan(3);
});

test('every public page is private, strict and nobody’s frame', async () => {
  const { pathname } = new URL(checkout.url);
  const unknown = 'x'.repeat(32);
  const pages = [
    `/p/${invoice.public_token}`,
    pathname,
    `/c/i/${invoice.public_token}`,
    `/p/${unknown}`,
    `/c/${unknown}`,
  ];
  for (const path of [...pages, `/sandbox/pay/${unknown}`]) {
    const { headers } = await fetch(`${platform.url}${path}`);
    expect({ path, ...Object.fromEntries(headers) }).toMatchObject({
      path,
      'x-robots-tag': expect.stringContaining('noindex'),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/),
    });
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|script-src[^;]*(http|data)/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

describe('bodies', () => {
  const body = (size: number): string => JSON.stringify({ name: 'Jan' }).padEnd(size);
  const post = (path: string, sent: string | Buffer, headers: Record<string, string>) =>
    fetch(`${platform.url}${path}`, { method: 'POST', body: sent as BodyInit, headers, redirect: 'manual' });
  const json = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

  test('1 MiB and no more', async () => {
    const most = 1024 * 1024;
    expect((await post('/api/v1/customers', body(most), json())).status).toBe(201);
    const large = await post('/api/v1/customers', body(most + 1), json());
    expect([large.status, await large.json()]).toEqual([413, { error: 'payload_too_large' }]);
  });

  test('nothing compressed, and no bomb in a form', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, 0x61));
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'nonsense']) {
      const answer = await post('/api/v1/customers', bomb, { ...json(), 'content-encoding': encoding });
      expect({ encoding, status: answer.status }).toEqual({ encoding, status: 415 });
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const { pathname } = new URL(checkout.url);
    for (const path of [pathname, '/providers/sandbox/a/b', '/sandbox/pay/x'])
      for (const [sent, headers] of [
        [bomb, { ...form, 'content-encoding': 'gzip' }],
        ['x'.repeat(1024 * 1024), form],
      ] as const)
        expect({ path, status: (await post(path, sent, headers)).status }).toEqual({ path, status: 413 });
  });

  test('a gRPC message has a limit, too, and the service lives on', async () => {
    const { addresses, tokens } = platform.state();
    const channel = openChannel(addresses['billing']!, { token: tokens['admin']!, tokenHashes: new Map() });
    const { listOrganizations, getOrganization } = channel.client(OrganizationsService);
    const large = { organizationId: 'x'.repeat(9 * 1024 * 1024) };
    await expect(getOrganization(large, testCall())).rejects.toThrow();
    expect(await listOrganizations({}, testCall())).toMatchObject({ organizations: [{ mode: Mode.TEST }] });
    channel.close();
  });
});

test('no answer tells of the inside, whatever is asked', async () => {
  const odd = [
    '%',
    '%ZZ',
    '%E0%A4%A',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'a'.repeat(8_000),
    '__proto__',
    '{{7*7}}',
    '[object]',
  ];
  const roots = ['/p/', '/c/', '/c/i/', '/c/assets/', '/p/assets/', '/sandbox/pay/', '/sandbox/api/payments/'];
  const more = ['/providers/sandbox/a/', '/dev/mail/', '/dev/webhooks/', '/docs/', '/api/v1/', '/'];
  const faults: unknown[] = [];
  for (const root of [...roots, ...more])
    for (const end of odd)
      for (const method of ['GET', 'POST', 'PATCH']) {
        const answer = await fetch(`${platform.url}${root}${end}`, {
          method,
          ...(method === 'POST' && { body: '{"a":', headers: { 'content-type': 'application/json' } }),
          redirect: 'manual',
        });
        const text = await answer.text();
        const tells = /node_modules|\bat .+:\d+:\d+|\b[A-Z]\w*Error\b|\/(work|dist|apps|tmp)\/|[Mm]ongo|ECONN/.exec(
          text,
        );
        if (answer.status >= 500 || (tells && answer.headers.get('content-type') !== 'text/javascript'))
          faults.push({ method, path: root + end.slice(0, 30), status: answer.status, tells: tells?.[0] });
      }
  expect(faults).toEqual([]);
});

test('clients that are slow with their headers, or send nothing at all, are cut off', async () => {
  const [drip, silent] = await Promise.all(slow);
  expect(drip!.text).toMatch(/^HTTP\/1.1 408 /);
  expect(drip!.afterMs).toBeLessThan(SLOW_LIMIT_MS);
  expect(silent!.afterMs).toBeLessThan(SLOW_LIMIT_MS);
});
