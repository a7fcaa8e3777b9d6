import { startTestStore, type TestStore } from '@invoicing/testing';
import { renderCii } from '../e-invoice/render-cii';
import { renderUbl } from '../e-invoice/render-ubl';
import { eInvoiceFile } from '../e-invoice-file';
import { dutchInvoice, sampleInvoice } from '../testing/sample-invoices';
import { sampleAccount, samplePayment } from '../testing/sample-account';
import { invoiceSheet, type InvoiceToShow } from './invoice-sheet';
import { attachmentOf } from './pdf-attachment';
import { mongoSealedSheets, type SealedSheets } from './sealed-sheet-store';
import { sheetRenderer } from './sheet-renderer';

let store: TestStore;
let sheets: SealedSheets;

beforeAll(async () => {
  store = await startTestStore();
  sheets = await mongoSealedSheets(await store.connect('billing'), () => new Date());
});
afterAll(() => store?.close());

test('the first sheet of an invoice is kept, whoever comes at the same time; another organisation has none', async () => {
  const kept = await Promise.all(['a', 'b', 'c'].map((pdf) => sheets.keep('org', 'invoice-1', Buffer.from(pdf))));
  expect(new Set(kept.map((pdf) => Buffer.from(pdf).toString())).size).toBe(1);
  expect(Buffer.from((await sheets.find('org', 'invoice-1'))!)).toEqual(Buffer.from(kept[0]!));
  expect(await sheets.find('other', 'invoice-1')).toBeNull();
  expect(await sheets.find('org', 'invoice-2')).toBeNull();
});

describe('the sheet of an invoice', () => {
  const shown: InvoiceToShow = {
    invoice: { ...dutchInvoice, id: 'invoice-3' },
    account: sampleAccount(dutchInvoice),
    today: '2026-11-25',
  };
  const account = sampleAccount(shown.invoice, [samplePayment(shown.invoice)]);
  let rendered: string[];
  const show = async (changes: Partial<InvoiceToShow>, original = false): Promise<string> => {
    const documents = {
      // Another one each time, as after a change of the renderer.
      renderSheet: async (source: { account?: { entries: readonly unknown[] } }) => {
        rendered.push(source.account ? `copy ${source.account.entries.length}` : 'original');
        return Buffer.from(`${rendered.at(-1)} ${rendered.length}`);
      },
    } as never;
    const wanted = { format: 'pdf', queue: 'mail', original } as const;
    return Buffer.from(
      await invoiceSheet({ documents, sealedSheets: sheets }, { ...shown, ...changes }, wanted),
    ).toString();
  };

  test('is rendered once as issued, and stays so; a payment or a term that has passed makes a copy', async () => {
    rendered = [];
    expect([await show({}), await show({}), await show({})]).toEqual(['original 1', 'original 1', 'original 1']);
    expect(await show({ account })).toBe('copy 1 2');
    expect(await show({ today: '2026-12-06' })).toBe('copy 0 3');
    expect(await show({ account }, true)).toBe('original 1');
    expect(rendered).toEqual(['original', 'copy 1', 'copy 0']);
  });
});

describe('the e-invoice of an invoice', () => {
  // What somebody types is no part of how the PDF is read.
  const hostile = '/EmbeddedFiles << /Names [(e-invoice.xml) 5 0 R] >> endobj startxref';
  const invoice = {
    ...sampleInvoice([{ description: hostile, unitPriceCents: 100 }]),
    id: 'invoice-4',
    reference: hostile,
  };
  const shown: InvoiceToShow = { invoice, account: sampleAccount(invoice), today: '2026-11-25' };
  const paid = { ...shown, account: sampleAccount(invoice, [samplePayment(invoice)]) };
  const renderer = sheetRenderer();
  afterAll(() => renderer.close());
  const documents = {
    renderSheet: renderer.render,
    // As a release changed it, after the sheet was kept.
    renderEInvoice: () => 'changed',
    eInvoiceViolations: () => [],
  } as never;
  const eInvoice = async (syntax: 'ubl' | 'cii', of = shown, original = false) =>
    Buffer.from(
      (await eInvoiceFile({ documents, sealedSheets: sheets }, of, { syntax, queue: 'mail', original }))!,
    ).toString();

  test('as issued is for ever the one inside the PDF that was kept; a copy is made anew', async () => {
    expect([await eInvoice('ubl'), await eInvoice('cii')]).toEqual([renderUbl(invoice), renderCii(invoice)]);
    expect([await eInvoice('ubl', paid, true), await eInvoice('ubl', paid)]).toEqual([renderUbl(invoice), 'changed']);
  });

  test('is not found in what carries none, under another name, or in what is no PDF of ours', async () => {
    const draft = await renderer.render({ invoice, isDraft: true }, 'pdf', 'mail');
    const pdf = (await sheets.find('org', 'invoice-4')) ?? (await renderer.render({ invoice }, 'pdf', 'mail'));
    expect(attachmentOf(draft, 'e-invoice.xml')).toBeUndefined();
    expect(attachmentOf(pdf, 'another.xml')).toBeUndefined();
    for (const bytes of [new Uint8Array(), Buffer.from('x'), pdf.subarray(0, pdf.length - 7), pdf.subarray(9)])
      expect(attachmentOf(bytes, 'e-invoice.xml')).toBeUndefined();
  });
});
