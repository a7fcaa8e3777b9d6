import { dutchInvoice, longInvoice } from '../testing/sample-invoices';
import { readPdfs } from '../testing/read-pdf';
import { renderCii } from '../e-invoice/render-cii';
import { renderUbl } from '../e-invoice/render-ubl';
import { finishPdf } from './finish-pdf';
import { sheetView } from './sheet-view';
import { sheetFiles } from './sheet-files';
import { TypstProcess } from './typst-process';

const xmpOf = async (pdf: Uint8Array): Promise<string> => (await readPdfs([pdf]))[0]!.xmp;
const typst = new TypstProcess();
afterAll(() => typst.close());

async function unfinished(invoice = dutchInvoice): Promise<Uint8Array> {
  const view = JSON.stringify(await sheetView({ invoice }));
  const files = sheetFiles({ invoice });
  return (await typst.set({ format: 'pdf', view, logo: null, files, createdAt: 1_800_000_000 })).content;
}

/** Every entry of the cross-reference table points at the object of its number. */
function checkPlaces(pdf: Uint8Array): number {
  const text = Buffer.from(pdf).toString('latin1');
  const at = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(text)?.[1]);
  const entries = text.slice(at).split('trailer')[0]!.trim().split('\n').slice(2);
  entries.forEach((entry, number) => {
    if (number > 0) expect(text.slice(Number(entry.slice(0, 10))).startsWith(`${number} 0 obj`)).toBe(true);
  });
  return entries.length;
}

test.each([
  ['short', dutchInvoice],
  ['long', longInvoice],
])('a %s PDF says that it is PDF/UA-1 too, and every object is where its table says', async (_what, invoice) => {
  const pdf = finishPdf(await unfinished(invoice), { facturX: false });
  expect(checkPlaces(pdf)).toBeGreaterThan(30);
  const xmp = await xmpOf(pdf);
  expect(xmp).toContain('<pdfuaid:part>1</pdfuaid:part>');
  expect(xmp).toContain('<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>');
  expect(xmp).not.toContain('fx:');
  expect(Buffer.from(pdf).toString('latin1')).toContain('/DisplayDocTitle true');
  expect((await readPdfs([pdf]))[0]!.title).toBe(`Factuur ${invoice.number}`);
});

test('with Factur-X its schema and its properties', async () => {
  const xmp = await xmpOf(finishPdf(await unfinished(), { facturX: true }));
  expect(xmp).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>');
  expect(xmp).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>');
});

test('the e-invoices are in it, byte for byte', async () => {
  const [pdf] = await readPdfs([finishPdf(await unfinished(), { facturX: false })]);
  expect(pdf!.attachments).toEqual([
    { name: 'e-invoice.xml', text: renderUbl(dutchInvoice) },
    { name: 'factur-x.xml', text: renderCii(dutchInvoice) },
  ]);
});

test('a PDF that is laid out otherwise is refused, not broken', async () => {
  const pdf = Buffer.from(await unfinished());
  expect(() => finishPdf(pdf.subarray(0, -10), { facturX: false })).toThrow('not laid out as expected');
  const twice = Buffer.from(pdf.toString('latin1').replace('/ViewerPreferences <<', '/ViewerPreferencez <<'), 'latin1');
  expect(() => finishPdf(twice, { facturX: false })).toThrow('has not exactly one');
});
