import { dutchInvoice, longInvoice, unrulyInvoice } from '../testing/sample-invoices';
import { sheetRenderer } from './sheet-renderer';
import type { SheetSource } from './sheet-source';

const bytesOf = async (sources: readonly SheetSource[]): Promise<string[]> => {
  const renderer = sheetRenderer();
  const all: string[] = [];
  for (const source of sources) all.push(Buffer.from(await renderer.render(source, 'pdf', 'mail')).toString('base64'));
  renderer.close();
  return all;
};

test('a document has the same bytes whatever was rendered before it, and in whichever process', async () => {
  const [a, b, c] = [{ invoice: dutchInvoice }, { invoice: unrulyInvoice }, { invoice: longInvoice }] as const;
  const [first] = await bytesOf([a]);
  // Apart from the cache: each of these is another document to it.
  const [, , , again] = await bytesOf([b, c, b, a]);
  const [other] = await bytesOf([a, b]);
  expect(again).toBe(first);
  expect(other).toBe(first);
  expect((await bytesOf([{ invoice: { ...dutchInvoice, number: '2026-0043' } }]))[0]).not.toBe(first);
});
