import { readPdfs, textOf } from '../testing/read-pdf';
import { sampleInvoice } from '../testing/sample-invoices';
import { sheetRenderer } from './sheet-renderer';

const renderer = sheetRenderer();
afterAll(() => renderer.close());
const textFor = async (...descriptions: string[]): Promise<string> => {
  const invoice = sampleInvoice(descriptions.map((description) => ({ description, unitPriceCents: 100 })));
  const [pdf] = await readPdfs([await renderer.render({ invoice }, 'pdf', 'mail')]);
  return textOf(pdf!).replace(/\s+/g, '');
};

test.each<[script: string, text: string, read?: string]>([
  ['Hebrew', 'שלום'],
  ['Arabic', 'مرحبا'],
  ['Chinese', '发票發票'],
  ['Japanese', '請求書カタカナひらがな'],
  ['Korean', '계산서'],
  ['Thai', 'ภาษาไทย'],
  ['Greek and Cyrillic', 'ΤιμολόγιοРахунок'],
  // Its reader takes the ligature apart.
  ['a ligature of its own', 'ofﬁcieel', 'officieel'],
  ['symbols', '☐☎✓→℃№½♥'],
  ['flags and pictures', '🇳🇱🎉'],
])('%s can be read back', async (_script, text, read = text) => {
  expect(await textFor(text)).toContain(read);
});

test('what no font has is a box; all the rest is as it was', async () => {
  const text = await textFor('voor አማ na', 'Straße №5');
  expect(text).toContain('voor□□na');
  expect(text).toContain('Straße№5');
});

test('a letter keeps its code whatever was set before it', async () => {
  const text = await textFor('Žižek', 'Zonnestraat', 'Ž Z Ž Z');
  expect(text).toContain('Žižek');
  expect(text).toContain('Zonnestraat');
  expect(await textFor('Zonnestraat')).toContain('Zonnestraat');
});
