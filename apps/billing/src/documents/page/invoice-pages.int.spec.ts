import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import type { FrozenInvoice } from '../../invoices/invoice';
import type { InvoicePagesPorts } from './invoice-pages';
import type { InvoicePageSource } from './page-view';
import { sheetRenderer } from '../sheet/sheet-renderer';
import { readPdfs, textOf } from '../testing/read-pdf';
import { renderUbl } from '../ubl/render-ubl';
import { sampleAccount, samplePayment } from '../testing/sample-account';
import { creditNote, dutchInvoice, prepaidInvoice, sampleInvoice, unrulyInvoice } from '../testing/sample-invoices';
import { serveInvoicePages } from '../testing/serve-invoice-pages';

const TOKEN = dutchInvoice.publicToken;
const payment = samplePayment(dutchInvoice);
const sourceOf = (
  changes: Partial<InvoicePageSource> = {},
  invoice: FrozenInvoice = dutchInvoice,
): InvoicePageSource => ({
  invoice: { ...invoice, publicToken: TOKEN },
  payment: null,
  account: sampleAccount(invoice, changes.payment ? [samplePayment(invoice)] : []),
  timezone: 'Europe/Amsterdam',
  today: '2026-11-25',
  hasEInvoice: true,
  ...changes,
});

/** Asks the real router over HTTP for one path; links are given as the page has them. */
async function ask(
  path: string,
  source: InvoicePageSource | undefined = sourceOf(),
  paymentOptions?: InvoicePagesPorts['paymentOptions'],
  findByToken?: InvoicePagesPorts['findByToken'],
) {
  const served = await serveInvoicePages([source], paymentOptions, findByToken);
  try {
    const response = await fetch(`${served.url}${path}`, { redirect: 'manual' });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString(), errors: served.errors };
  } finally {
    await served.close();
  }
}

describe('headers', () => {
  test('nothing is allowed but what the page has', async () => {
    const { status, headers, text } = await ask(`/p/${TOKEN}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const inline = /<style>(.*?)<\/style>/s.exec(text)![1]!;
    const hash = createHash('sha256').update(inline).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'self' 'sha256-${hash}'; script-src 'self'; img-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style="|javascript:/i);
  });

  test.each(['', '/invoice.pdf', '/invoice.xml', '/logo', '/nothing'])(
    'of %j keep search engines and referrers out',
    async (path) => {
      const { headers } = await ask(`/p/${TOKEN}${path}`);
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain('frame-ancestors');
    },
  );

  test('the files of the page are named by their content and kept for a year; nothing comes from elsewhere', async () => {
    const { text } = await ask(`/p/${TOKEN}`);
    const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(links.filter((link) => /^(\w+:|\/)/.test(link))).toEqual([]);
    const assets = links.filter((link) => link.startsWith('assets/'));
    expect(assets).toHaveLength(3);
    for (const asset of assets) {
      const { status, headers, bytes } = await ask(`/p/${asset}`);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(asset).toContain(createHash('sha256').update(bytes).digest('hex').slice(0, 12));
    }
    expect((await ask('/p/assets/page.000000000000.css')).status).toBe(404);
  });
});

describe('an unknown token', () => {
  test.each([
    '/p/AAAAAAAAAAAAAAAAAAAAAAAA',
    '/p/short',
    `/p/${TOKEN}/`,
    `/p/${TOKEN}x/invoice.pdf`,
    '/p/%00',
    '/p/%E0%A4%A',
    '/p/..%2f..',
    '/p/',
    `/p/${TOKEN}/invoice.exe`,
  ])('%s is a plain page that says so', async (path) => {
    const { status, headers, text } = await ask(path);
    expect(status).toBe(404);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('Deze pagina bestaat niet');
    expect(text).not.toContain('Noorderlicht');
  });

  test('in English on demand', async () => {
    expect((await ask('/p/AAAAAAAAAAAAAAAAAAAAAAAA?lang=en')).text).toContain('This page does not exist');
  });

  test('what cannot be a token is not looked up', async () => {
    const asked: string[] = [];
    await ask('/p/%7B%22%24ne%22:1%7D', undefined, undefined, async (token) => {
      asked.push(token);
      return undefined;
    });
    expect(asked).toEqual([]);
  });
});

describe('status', () => {
  const options = async () => ({ available: true, url: 'https://pay.example/c/i/x' });
  test.each<[string, InvoicePageSource, string[], string[]]>([
    ['open', sourceOf(), ['Openstaand', 'Betalen vóór of op 5 december 2026', 'Online betalen', 'NL91'], []],
    ['open on the last day', sourceOf({ today: '2026-12-05' }), ['Openstaand'], ['Te laat']],
    ['overdue', sourceOf({ today: '2026-12-06' }), ['Te laat', 'De betaaltermijn verliep op', 'Online betalen'], []],
    [
      'paid, on the day that it was in Amsterdam',
      sourceOf({ payment, today: '2027-01-01' }),
      ['Betaald op 1 december 2026'],
      ['Online betalen', 'Kopieer', 'Te laat', '<svg'],
    ],
    [
      'paid, on the day that it was where the organisation is',
      sourceOf({ payment, timezone: 'America/New_York' }),
      ['Betaald op 30 november 2026'],
      ['Betaald op 1 december 2026'],
    ],
    [
      'paid before it was issued, also while its payment is being recorded',
      sourceOf({ today: '2027-01-01' }, prepaidInvoice),
      ['class="badge paid"', 'Betaald op 21 november 2026 via iDEAL', '<dt class="label">Betaald op</dt>'],
      ['Online betalen', 'Kopieer', 'Te laat', '<svg', 'Vervaldatum', 'Te betalen'],
    ],
    ['a credit note', sourceOf({}, creditNote), ['Creditering van factuur 2026-0042'], ['Online betalen', 'Kopieer']],
    [
      'nothing to pay',
      sourceOf({}, sampleInvoice([{ description: 'Proef', unitPriceCents: 0 }])),
      ['U hoeft niets te betalen.'],
      ['Online betalen', '<svg'],
    ],
  ])('%s', async (_what, source, shown, hidden) => {
    const { text } = await ask(`/p/${TOKEN}`, source, options);
    for (const each of shown) expect(text).toContain(each);
    for (const each of hidden) expect(text).not.toContain(each);
  });
});

describe('pay online', () => {
  test('links to where checkout says', async () => {
    const asked: string[][] = [];
    const { text } = await ask(`/p/${TOKEN}`, sourceOf(), async (...args) => {
      asked.push(args);
      return { available: true, url: 'https://pay.example/c/i/a?b=1&c="2' };
    });
    expect(text).toContain('href="https://pay.example/c/i/a?b=1&amp;c=&quot;2"');
    expect(asked).toEqual([[dutchInvoice.organizationId, TOKEN]]);
  });

  test.each<[string, InvoicePagesPorts['paymentOptions'], number]>([
    ['no provider is connected', async () => ({ available: false, url: 'https://pay.example' }), 0],
    ['checkout never answers', () => new Promise(() => undefined), 0],
    ['checkout fails', () => Promise.reject(new Error('down')), 1],
    ['the address is a script', async () => ({ available: true, url: 'javascript:alert(1)' }), 0],
  ])('is hidden, and the page comes, when %s', async (_what, paymentOptions, errors) => {
    const answer = await ask(`/p/${TOKEN}`, sourceOf(), paymentOptions);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Openstaand');
    expect(answer.text).not.toContain('Online betalen');
    expect(answer.errors).toHaveLength(errors);
  });
});

describe('documents', () => {
  test('the PDF, to look at and to keep', async () => {
    const inline = await ask(`/p/${TOKEN}/invoice.pdf`);
    expect(inline.headers.get('content-type')).toBe('application/pdf');
    expect(inline.headers.get('content-disposition')).toBe('inline; filename="Factuur-2026-0042.pdf"');
    const renderer = sheetRenderer();
    const original = await renderer.render({ invoice: sourceOf().invoice, isTest: false }, 'pdf', 'page');
    renderer.close();
    expect(Buffer.compare(inline.bytes, original)).toBe(0);
    const kept = await ask(`/p/${TOKEN}/invoice.pdf?download`);
    expect(kept.headers.get('content-disposition')).toBe('attachment; filename="Factuur-2026-0042.pdf"');
  });

  test('once it is paid, the PDF says so; the original can still be had', async () => {
    const original = (await ask(`/p/${TOKEN}/invoice.pdf`)).bytes;
    const paid = sourceOf({ payment });
    const [copy, kept] = [
      await ask(`/p/${TOKEN}/invoice.pdf`, paid),
      await ask(`/p/${TOKEN}/invoice.pdf?original`, paid),
    ];
    expect(kept.bytes.equals(original)).toBe(true);
    const [text = ''] = (await readPdfs([copy.bytes])).map(textOf);
    expect(text).toContain('Betaald op 1 december 2026 via iDEAL. U hoeft niets meer te betalen.');
    expect(text).not.toMatch(/IBAN|uiterlijk|Scan/);
  });

  test('the document as a picture, all of its pages', async () => {
    const { headers, text } = await ask(`/p/${TOKEN}/invoice.svg`);
    expect(headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toMatch(/^<svg [^>]*viewBox="0 0 595\.\d+ 841\.\d+"/);
    expect(headers.get('content-encoding')).toBe('gzip');
    expect((await ask(`/p/${TOKEN}`)).text).toContain('/invoice.svg"');
    const lines = Array.from({ length: 121 }, () => ({ description: 'x', unitPriceCents: 1 }));
    const long = sourceOf({}, sampleInvoice(lines));
    expect((await ask(`/p/${TOKEN}/invoice.svg`, long)).status).toBe(404);
    expect((await ask(`/p/${TOKEN}`, long)).text).not.toContain('invoice.svg');
  });

  test('a number with a slash makes no path and no header', async () => {
    const { headers } = await ask(`/p/${TOKEN}/invoice.pdf`, sourceOf({}, { ...dutchInvoice, number: '../"a\r\nb/é' }));
    expect(headers.get('content-disposition')).toBe('inline; filename="Factuur-..-a-b-.pdf"');
  });

  test('the e-invoice, when it is valid', async () => {
    const { status, headers, text } = await ask(`/p/${TOKEN}/invoice.xml`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="Factuur-2026-0042.xml"');
    expect(text).toBe(renderUbl(sourceOf().invoice));
    const without = sourceOf({ hasEInvoice: false });
    expect((await ask(`/p/${TOKEN}/invoice.xml`, without)).status).toBe(404);
    expect((await ask(`/p/${TOKEN}`, without)).text).not.toContain('invoice.xml');
  });

  test('the logo, as what it is', async () => {
    const logo = PNG.sync.write(new PNG({ width: 2, height: 2 }));
    const source = sourceOf({}, { ...dutchInvoice, style: { ...dutchInvoice.style, logo } });
    const { headers, bytes } = await ask(`/p/${TOKEN}/logo`, source);
    expect(headers.get('content-type')).toBe('image/png');
    expect(Buffer.compare(bytes, logo)).toBe(0);
    expect((await ask(`/p/${TOKEN}`, source)).text).toContain(`<img class="logo" src="${TOKEN}/logo"`);
    expect((await ask(`/p/${TOKEN}/logo`)).status).toBe(404);
  });
});

test('the language is the invoice’s, or the one that is asked for', async () => {
  expect((await ask(`/p/${TOKEN}`)).text).toContain('<html lang="nl">');
  const english = await ask(`/p/${TOKEN}?lang=en`);
  expect(english.text).toContain('<html lang="en">');
  expect(english.text).toContain('Due on 5 December 2026');
  expect(english.text).toContain('€6,531.58');
  expect((await ask(`/p/${TOKEN}?lang=xx&lang=en`)).text).toContain('<html lang="nl">');
});

test('markup and templates in names, descriptions and footer stay texts', async () => {
  const { text } = await ask(`/p/${TOKEN}`, sourceOf({}, unrulyInvoice));
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;');
  expect(text).toContain('{{= it }} &lt;%= it %&gt;');
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(text).not.toMatch(/<script>|<img src=x|<b>bold/);
  const style = { ...dutchInvoice.style, accentColor: '</style><script>alert(1)</script>' };
  expect((await ask(`/p/${TOKEN}`, sourceOf({}, { ...dutchInvoice, style }))).text).not.toContain('alert(1)');
});

test('a store that fails gives a page that says nothing of it', async () => {
  const { status, text, errors, headers } = await ask(`/p/${TOKEN}`, undefined, undefined, () =>
    Promise.reject(new Error('secret-host refused')),
  );
  expect(status).toBe(503);
  expect(text).toContain('Even niet bereikbaar');
  expect(text).not.toContain('secret-host');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(errors).toEqual([new Error('secret-host refused')]);
});
