import { PNG } from 'pngjs';
import { formatMoney } from '@invoicing/design';
import { sheetRenderer } from './sheet-renderer';
import type { FrozenInvoice } from '../../invoices/invoice';
import {
  berliner,
  creditNote,
  dutchInvoice,
  exemptInvoice,
  intraCommunityInvoice,
  longInvoice,
  mixedInvoice,
  prepaid,
  prepaidEnglishInvoice,
  prepaidInvoice,
  reverseChargeInvoice,
  sampleInvoice,
  unrulyInvoice,
} from '../testing/sample-invoices';
import { type ReadPdf, readPdfs, textOf } from '../testing/read-pdf';
import { crop, epcFields, readQr } from '../testing/read-qr';

const renderer = sheetRenderer();
afterAll(() => renderer.close());
const renderPdf = (invoice: FrozenInvoice): Promise<Uint8Array> => renderer.render({ invoice }, 'pdf', 'mail');
const render = (invoices: readonly FrozenInvoice[]): Promise<Uint8Array[]> => Promise.all(invoices.map(renderPdf));
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ').replace(/\u200b/g, '');
const words = (pdf: ReadPdf): string => plain(textOf(pdf)).replace(/\s+/g, ' ');

describe('text', () => {
  const samples = {
    dutchInvoice,
    reverseChargeInvoice,
    intraCommunityInvoice,
    exemptInvoice,
    creditNote,
    mixedInvoice,
    longInvoice,
    prepaidInvoice,
    prepaidEnglishInvoice,
  };
  const read: Record<string, ReadPdf> = {};
  beforeAll(async () => {
    const pdfs = await readPdfs(await render(Object.values(samples)));
    Object.keys(samples).forEach((name, index) => (read[name] = pdfs[index]!));
  });

  test.each(Object.entries(samples))('%s shows every figure of the document', (name, invoice) => {
    const text = words(read[name]!);
    const { totals, lines, language } = invoice;
    const cents = [
      totals.exclCents,
      totals.vatCents,
      totals.inclCents,
      ...totals.groups.flatMap(({ baseCents, vatCents }) => [baseCents, vatCents]),
      ...lines.flatMap(({ netCents, unitPriceCents }) => [netCents, unitPriceCents]),
    ];
    const missing = cents.map((each) => plain(formatMoney(each, language))).filter((each) => !text.includes(each));
    expect(missing).toEqual([]);
  });

  test.each(Object.entries(samples))('%s shows what article 226 wants', (name, invoice) => {
    // A reader of PDF text may see a gap where letters were moved together.
    const solid = (text: string): string => text.replace(/\s/g, '');
    const text = solid(words(read[name]!));
    const { seller, buyer } = invoice;
    for (const wanted of [
      invoice.number,
      seller.name,
      seller.addressLine1,
      seller.city,
      seller.btwId,
      seller.kvkNumber,
      buyer.companyName,
      buyer.addressLine1,
      buyer.city,
      buyer.btwId,
      buyer.kvkNumber,
      ...invoice.lines.map(({ description }) => description.slice(0, 20)),
    ]) {
      expect(text).toContain(solid(wanted));
    }
  });

  test('the legal wording of each treatment', () => {
    expect(words(read['reverseChargeInvoice']!)).toContain(
      'Reverse charge. Supplier VAT ID NL861234567B01, customer VAT ID DE136695976.',
    );
    expect(words(read['intraCommunityInvoice']!)).toContain(
      'Intra-Community supply – Article 138(1), Directive 2006/112/EC.',
    );
    const exempt = words(read['exemptInvoice']!);
    expect(exempt).toContain('Vrijgesteld van btw – artikel 11, lid 1, letter o, Wet op de omzetbelasting 1968.');
    expect(exempt).not.toContain('0%');
    // Below the lines that it is about, above what they add up to.
    const places = [exemptInvoice.lines.at(-1)!.description.slice(0, 20), 'Vrijgesteld van btw –', 'Totaal'];
    const found = places.map((each) => exempt.lastIndexOf(each));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(found).not.toContain(-1);
    const mixed = words(read['mixedInvoice']!);
    expect(mixed).toContain('Btw verlegd.');
    expect(mixed).toContain('Intracommunautaire levering – artikel 138, lid 1, Richtlijn 2006/112/EG.');
    expect(mixed).toContain('0% € 201,00 € 0,00');
  });

  test('dates, both languages', () => {
    const dutch = words(read['dutchInvoice']!);
    for (const each of ['Factuurdatum', '21 november 2026', 'Vervaldatum', '5 december 2026'])
      expect(dutch).toContain(each);
    const english = words(read['reverseChargeInvoice']!);
    for (const each of ['Issue date', '21 November 2026', 'Due date', '5 December 2026'])
      expect(english).toContain(each);
  });

  test('a credit note names its invoice and asks for no money', () => {
    const text = words(read['creditNote']!);
    expect(text).toContain('Creditnota');
    expect(text).toContain('Creditering van factuur 2026-0042 van 21 november 2026');
    expect(text).toContain(creditNote.reason);
    expect(text).not.toContain('IBAN');
    expect(text).not.toContain('Te betalen');
  });

  test('an invoice that was paid before says when and how, and asks for no money', () => {
    const dutch = words(read['prepaidInvoice']!);
    expect(dutch).toContain('Betaald op 21 november 2026 via iDEAL. U hoeft niets meer te betalen.');
    expect(dutch).toContain('Totaal € 157,30 Betaald op 21 november 2026 via iDEAL € −157,30');
    expect(dutch).toContain('Nog te betalen € 0,00');
    const english = words(read['prepaidEnglishInvoice']!);
    expect(english).toContain('Paid on 20 November 2026 by credit card. There is nothing left to pay.');
    expect(english).toContain('Total €645.28 Paid on 20 November 2026 by credit card −€645.28');
    expect(english).toContain('Still to pay €0.00');
    for (const text of [dutch, english]) {
      expect(text).not.toMatch(/IBAN|BIC|Vervaldatum|Due date|Scan|uiterlijk|transfer|5 dec/i);
      expect(text).toMatch(/online/);
    }
  });

  test('sixty lines break over sheets that each have heading and number', () => {
    const { pages } = read['longInvoice']!;
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach(({ texts }, index) => {
      const all = texts.map(({ text }) => text);
      expect(all).toContain('Omschrijving');
      expect(all).toContain(`${index + 1}/${pages.length}`);
      // Nothing below the margin, nothing over the edge.
      expect(Math.min(...texts.map(({ y }) => y))).toBeGreaterThan(30);
      expect(Math.max(...texts.map(({ x, width }) => x + width))).toBeLessThan(545);
    });
    const last = pages.at(-1)!.texts.map(({ text }) => plain(text));
    expect(last).toContain(plain(formatMoney(longInvoice.lines.at(-1)!.netCents, 'nl')));
  });

  test('amounts line up: the right edges of a column are the same', () => {
    const amounts = longInvoice.lines.map(({ netCents }) => plain(formatMoney(netCents, 'nl')));
    const edges = read['longInvoice']!.pages.flatMap(({ texts }) => texts)
      .filter(({ text, x }) => amounts.includes(plain(text)) && x > 470)
      .map(({ x, width }) => Math.round(x + width));
    expect(edges.length).toBeGreaterThanOrEqual(60);
    expect(new Set(edges)).toEqual(new Set([543]));
  });
});

test('the code on the sheet is read back field by field', async () => {
  const [pdf] = await readPdfs([await renderPdf(dutchInvoice)], 2);
  const { width, height, data } = pdf!.pages[0]!.image!;
  const page = { width, height, data: Buffer.from(data, 'base64') };
  const code = readQr(crop(page, { x: 0.65, y: 0.55 }, { x: 0.95, y: 0.9 }));
  expect(code?.version).toBeLessThanOrEqual(13);
  expect(epcFields(code!.text)).toEqual({
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
  expect(pdf!.pages[0]!.links).toEqual([dutchInvoice.publicUrl]);
});

test('a paid invoice has no code to scan, only its link', async () => {
  const [pdf] = await readPdfs([await renderPdf(prepaidInvoice)], 2);
  const { width, height, data } = pdf!.pages[0]!.image!;
  const page = { width, height, data: Buffer.from(data, 'base64') };
  expect(readQr(crop(page, { x: 0.5, y: 0.3 }, { x: 1, y: 0.95 }))).toBeFalsy();
  expect(pdf!.pages[0]!.links).toEqual([prepaidInvoice.publicUrl]);
});

test('methods are named as people name them, an unknown one as its provider does', async () => {
  const paid = (method: string, language: 'nl' | 'en'): FrozenInvoice =>
    prepaid({ ...dutchInvoice, language }, { method });
  const pdfs = await readPdfs(
    await render([paid('banktransfer', 'nl'), paid('applepay', 'en'), paid('coins', 'nl'), paid('', 'en')]),
  );
  const sentence = /(?:Betaald op|Paid on) 21 \w+ 2026[^.]*\. (?=U hoeft|There)/;
  expect(pdfs.map((pdf) => sentence.exec(words(pdf))?.[0].trim())).toEqual([
    'Betaald op 21 november 2026 via bankoverschrijving.',
    'Paid on 21 November 2026 by Apple Pay.',
    'Betaald op 21 november 2026 via coins.',
    'Paid on 21 November 2026.',
  ]);
});

test('is PDF/A-3b whose metadata survives hostile names', async () => {
  const bytes = await renderPdf({
    ...dutchInvoice,
    number: 'F&<1>',
    seller: { ...dutchInvoice.seller, name: 'A & B </rdf:li><pdfaid:part>1</pdfaid:part>' },
  });
  const raw = Buffer.from(bytes).toString('latin1');
  expect(raw).toContain('/GTS_PDFA1');
  expect(raw).not.toContain('/Helvetica');
  const [pdf] = await readPdfs([bytes]);
  expect(pdf!.title).toBe('Factuur F&<1>');
  expect(pdf!.author).toBe('A & B </rdf:li><pdfaid:part>1</pdfaid:part>');
  expect(pdf!.xmp).toContain('<pdfaid:part>3</pdfaid:part>');
  expect(pdf!.xmp).toContain('A &amp; B &lt;/rdf:li&gt;');
  expect(pdf!.xmp.match(/<pdfaid:part>/g)).toHaveLength(1);
});

test('right-to-left, emoji, markup and endless words are printed as they are, inside the sheet', async () => {
  const [pdf] = await readPdfs([await renderPdf(unrulyInvoice)]);
  const text = words(pdf!);
  expect(text).toContain('<script>alert(1)</script> & "quotes"');
  expect(text).toContain('łódź őűăşţ – Ελλάδα – Україна');
  expect(text.replace(/ /g, '')).toContain(plain(unrulyInvoice.buyer.city).replace(/ /g, ''));
  for (const { texts } of pdf!.pages) expect(Math.max(...texts.map(({ x, width }) => x + width))).toBeLessThan(545);
});

test('a description higher than a sheet runs on over the next', async () => {
  const paragraph = Array.from({ length: 180 }, (_, index) => `regel ${index}`).join('\n');
  const [pdf] = await readPdfs([await renderPdf(sampleInvoice([{ description: paragraph, unitPriceCents: 100 }]))]);
  const all = pdf!.pages
    .flatMap(({ texts }) => texts.map(({ text }) => text))
    .filter((each) => each.startsWith('regel'));
  expect(all).toHaveLength(180);
  expect(pdf!.pages.length).toBeLessThanOrEqual(6);
});

test('500 lines', async () => {
  const lines = Array.from({ length: 500 }, (_, index) => ({
    description: `Artikel ${index + 1}`,
    unitPriceCents: 1_234,
  }));
  const [pdf] = await readPdfs([await renderPdf(sampleInvoice(lines))]);
  const text = words(pdf!);
  expect(text).toContain('Artikel 500 ');
  expect(text).toContain('€ 7.465,70');
});

describe('logo', () => {
  const withLogo = (logo: Uint8Array): FrozenInvoice => ({
    ...dutchInvoice,
    style: { ...dutchInvoice.style, logo },
  });
  const png = (): Uint8Array => {
    const image = new PNG({ width: 60, height: 20 });
    for (let at = 0; at < image.data.length; at += 4) image.data.set([200, 30, 30, at % 256], at);
    return PNG.sync.write(image);
  };

  test('a PNG with transparency takes the place of the name, with the same bytes each time', async () => {
    const [one, other] = await render([withLogo(png()), withLogo(png())]);
    expect(Buffer.compare(one!, other!)).toBe(0);
    const [pdf] = await readPdfs([one!]);
    expect(pdf!.pages[0]!.texts.map(({ text }) => text)).not.toContain('Studio Noorderlicht');
  });

  test.each([
    ['cut off', () => png().subarray(0, 40)],
    ['no image', () => Buffer.from('GIF89a')],
    ['only its signature', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['a broken JPEG', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
  ])('that is %s: the name is printed instead', async (_what, logo) => {
    const [pdf] = await readPdfs([await renderPdf(withLogo(logo()))]);
    expect(pdf!.pages[0]!.texts.map(({ text }) => text)).toContain('Studio Noorderlicht');
  });
});

test('no IBAN, nothing to pay, abroad: the panel follows', async () => {
  const noBank = { ...dutchInvoice, seller: { ...dutchInvoice.seller, iban: '', bic: '' } };
  const free = sampleInvoice([{ description: 'Proef', unitPriceCents: 0 }]);
  const abroad = { ...dutchInvoice, buyer: { ...berliner, kvkNumber: '' } };
  const [first, second, third] = (await readPdfs(await render([noBank, free, abroad]))).map(words);
  expect(first).not.toContain('IBAN');
  expect(first).toContain('Betalen vóór of op 5 december 2026.');
  expect(second).toContain('U hoeft niets te betalen.');
  expect(third).toContain('Duitsland');
});
