import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import type { CreditApplied, Entry } from '../../account/entry';
import type { FrozenInvoice } from '../../invoices/invoice';
import type { InvoicePagesPorts } from './invoice-pages';
import type { InvoicePageSource } from './page-view';
import { sheetRenderer } from '../sheet/sheet-renderer';
import { readPdfs, textOf } from '../testing/read-pdf';
import { formatMoney } from '@invoicing/design';
import { renderCii } from '../e-invoice/render-cii';
import { renderUbl } from '../e-invoice/render-ubl';
import { parseUbl } from '../testing/ubl-faults';
import { sampleAccount, samplePayment } from '../testing/sample-account';
import {
  creditNote,
  dutchInvoice,
  inclusiveInvoice,
  prepaidInvoice,
  sampleInvoice,
  unrulyInvoice,
} from '../testing/sample-invoices';
import { serveInvoicePages } from '../testing/serve-invoice-pages';

const TOKEN = dutchInvoice.publicToken;
const paid = samplePayment(dutchInvoice);
const { inclCents } = dutchInvoice.totals;
const sourceOf = (
  changes: Partial<InvoicePageSource> = {},
  invoice: FrozenInvoice = dutchInvoice,
): InvoicePageSource => ({
  invoice: { ...invoice, publicToken: TOKEN },
  account: sampleAccount(invoice),
  today: '2026-11-25',
  hasEInvoice: true,
  ...changes,
});
/** An invoice of which this is on the account. */
const after = (entries: readonly Entry[], credits: readonly CreditApplied[] = []): InvoicePageSource =>
  sourceOf({ account: sampleAccount(dutchInvoice, entries, credits) });
const also = (type: Entry['type'], amountCents: number): Entry =>
  ({ ...paid, _id: type, type, amountCents, of: paid._id }) as Entry;
const credit = (amountCents: number) =>
  ({ noteId: 'note', number: 'C2026-0003', date: '2026-12-02', amountCents }) as CreditApplied;

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
      `default-src 'none'; style-src 'self' 'sha256-${hash}'; font-src 'self'; img-src 'self'; script-src 'self'; ` +
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
    expect(links.filter((link) => /^(\w+:|\/)/.test(link))).toEqual(['mailto:administratie@noorderlicht.example']);
    const assets = links.filter((link) => link.startsWith('assets/'));
    expect(assets).toHaveLength(3);
    for (const asset of assets) {
      const { status, headers, bytes } = await ask(`/p/${asset}`);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(asset).toContain(createHash('sha256').update(bytes).digest('hex').slice(0, 12));
    }
    expect((await ask('/p/assets/000000000000.css')).status).toBe(404);
    const css = await ask(`/p/${assets.find((asset) => asset.endsWith('.css'))}`);
    const fonts = [...css.text.matchAll(/url\('([^']+)'\)/g)].map(([, name]) => name!);
    expect(fonts).toHaveLength(4);
    for (const font of fonts) expect((await ask(`/p/assets/${font}`)).headers.get('content-type')).toBe('font/woff2');
  });
});

test('a page that was looked at says what is known now when it is looked at again', async () => {
  let source = sourceOf();
  let options = { available: false, url: '' };
  const served = await serveInvoicePages(
    [],
    async () => options,
    async () => source,
  );
  const look = async (query = '') => (await fetch(`${served.url}/p/${TOKEN}${query}`)).text();
  try {
    const open = await look();
    expect(await look()).toBe(open);
    const german = await look('?lang=de');
    const seen = new Set([open, german]);
    const changes: [() => unknown, RegExp][] = [
      [() => (options = { available: true, url: 'https://pay.example/c/i/x' }), /https:\/\/pay\.example/],
      [() => (source = sourceOf({ today: '2027-01-20' })), /badge overdue"/],
      [() => (source = sourceOf({ test: true })), /<strong>TEST<\/strong>/],
      [() => (source = sourceOf({ hasEInvoice: false })), /^(?![^]*invoice\.xml)/],
      [() => (source = after([{ ...paid, amountCents: 100 } as Entry])), /badge partly_paid"/],
      [() => (source = after([paid])), /badge paid"/],
      [() => (source = after([], [credit(inclCents)])), /badge credited"/],
    ];
    for (const [change, shows] of changes) {
      change();
      const text = await look();
      expect(text).toMatch(shows);
      expect([...seen]).not.toContain(text);
      seen.add(text);
    }
    source = sourceOf();
    options = { available: false, url: '' };
    expect([await look(), await look('?lang=de')]).toEqual([open, german]);
  } finally {
    await served.close();
  }
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

describe('what a page asks for', () => {
  const ASKS = ['href="https://pay.example/c/i/x?lang=nl"', '<figure class="qr">', 'NL91'];
  const options = async () => ({ available: true, url: 'https://pay.example/c/i/x' });
  const rest = inclCents - 200_000;

  test.each<[string, InvoicePageSource, number, string[]]>([
    ['sent', after([]), inclCents, ['class="badge open"', 'Te betalen']],
    [
      'partly paid',
      after([{ ...paid, amountCents: 200_000 } as Entry]),
      rest,
      ['class="badge partly_paid"', 'Nog te betalen', 'Betaald op 1 december 2026 via iDEAL', '€\u00a0−2.000,00'],
    ],
    ['partly credited', after([], [credit(200_000)]), rest, ['class="badge open"', 'Gecrediteerd met C2026-0003']],
    [
      'charged back',
      after([paid, also('chargeback', inclCents)]),
      inclCents,
      ['class="badge open"', 'Teruggeboekt op 1 december 2026'],
    ],
    [
      'refunded, to be paid again',
      after([paid, also('refund', inclCents)]),
      inclCents,
      ['class="badge open"', 'Terugbetaald op 1 december 2026'],
    ],
    [
      'paid',
      after([paid]),
      0,
      ['class="badge paid"', 'Betaald op 1 december 2026 via iDEAL. U hoeft niets meer te betalen.'],
    ],
    [
      'overpaid',
      after([paid, { ...paid, _id: 'p2', paymentId: 'tr_2', amountCents: 500 } as Entry]),
      0,
      ['class="badge overpaid"', 'Te veel betaald', '€\u00a05,00'],
    ],
    ['credited', after([], [credit(inclCents)]), 0, ['class="badge credited"', 'Deze factuur is gecrediteerd.']],
    [
      'credited and refunded',
      after([paid, also('refund', inclCents)], [credit(inclCents)]),
      0,
      ['class="badge credited"', 'Deze factuur is gecrediteerd.'],
    ],
    [
      'written off',
      after([also('write_off', inclCents)]),
      0,
      ['class="badge settled"', 'U hoeft niets te betalen.', 'Afgeschreven op 1 december 2026'],
    ],
  ])('%s', async (_state, source, openCents, shown) => {
    const asked: string[] = [];
    const { text } = await ask(`/p/${TOKEN}`, source, (...args) => {
      asked.push(args[1]);
      return options();
    });
    for (const each of shown) expect(text).toContain(each);
    for (const each of ASKS) expect(text.includes(each)).toBe(openCents > 0);
    // Checkout is not even asked where there is nothing to pay.
    expect(asked).toEqual(openCents > 0 ? [TOKEN] : []);
    const [, amount = ''] = /<p class="amount[^>]*>([^<]*)</.exec(text) ?? [];
    if (openCents > 0) expect(amount).toBe(formatMoney(openCents, 'nl'));
    expect(text.includes('data-copy="6531,58"')).toBe(openCents === inclCents);

    const ubl = parseUbl((await ask(`/p/${TOKEN}/invoice.xml`, source)).text);
    expect(ubl.cents('LegalMonetaryTotal', 'PayableAmount')).toBe(BigInt(openCents));
    const original = await ask(`/p/${TOKEN}/invoice.xml?original`, source);
    expect(original.text).toBe(renderUbl(sourceOf().invoice));
  });

  test('a payment from before the issue that was charged back, by the date it had', async () => {
    const chargeback = { ...also('chargeback', prepaidInvoice.totals.inclCents), invoiceId: prepaidInvoice.id };
    const account = sampleAccount(prepaidInvoice, [chargeback as Entry]);
    const { text } = await ask(`/p/${TOKEN}`, sourceOf({ account }, prepaidInvoice), options);
    for (const each of [...ASKS, 'Vervaldatum', '€\u00a0157,30', 'Teruggeboekt op']) expect(text).toContain(each);
  });
});

test('what a document says of itself: period, reference, note, discounts, prices including VAT', async () => {
  const { text } = await ask(`/p/${TOKEN}`, sourceOf({}, inclusiveInvoice));
  for (const each of [
    'Prijs incl. btw',
    'Bedrag incl. btw',
    'Korting',
    '−12,5%',
    'PO-2026-0815',
    '1 – 30 november 2026',
    'Bezorging op werkdagen tussen 7 en 9 uur.\nBel bij de achterdeur.',
    '€\u00a040,00',
    '€\u00a052,47',
    '€\u00a092,47',
    '4\u00a0weken × €\u00a010,00 · 21%',
  ])
    expect(text).toContain(each);
  expect((await ask(`/p/${TOKEN}`)).text).not.toMatch(/>Korting<|incl\. btw|Uw kenmerk|Periode/);
});

describe('pay online', () => {
  test('links to where checkout says', async () => {
    const asked: string[][] = [];
    const { text } = await ask(`/p/${TOKEN}`, sourceOf(), async (...args) => {
      asked.push(args);
      return { available: true, url: 'https://pay.example/c/i/a?b=1&c="2' };
    });
    expect(text).toContain('href="https://pay.example/c/i/a?b=1&amp;c=%222&amp;lang=nl"');
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
    const source = after([paid]);
    const [copy, kept] = [
      await ask(`/p/${TOKEN}/invoice.pdf`, source),
      await ask(`/p/${TOKEN}/invoice.pdf?original`, source),
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
    const facturX = await ask(`/p/${TOKEN}/factur-x.xml`);
    expect(facturX.headers.get('content-disposition')).toBe('attachment; filename="factur-x.xml"');
    expect(facturX.text).toBe(renderCii(sourceOf().invoice));
    const without = sourceOf({ hasEInvoice: false });
    expect((await ask(`/p/${TOKEN}/invoice.xml`, without)).status).toBe(404);
    expect((await ask(`/p/${TOKEN}/factur-x.xml`, without)).status).toBe(404);
    expect((await ask(`/p/${TOKEN}`, without)).text).not.toContain('invoice.xml');
  });

  test('the logo, as what it is', async () => {
    const logo = PNG.sync.write(new PNG({ width: 2, height: 2 }));
    const source = sourceOf({}, { ...dutchInvoice, style: { ...dutchInvoice.style, logo } });
    const { headers, bytes } = await ask(`/p/${TOKEN}/logo`, source);
    expect(headers.get('content-type')).toBe('image/png');
    expect(Buffer.compare(bytes, logo)).toBe(0);
    expect((await ask(`/p/${TOKEN}`, source)).text).toContain(`<img class="brand-logo" src="${TOKEN}/logo"`);
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
