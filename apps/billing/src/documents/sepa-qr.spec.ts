import fc from 'fast-check';
import type { FrozenInvoice } from '../invoices/invoice';
import { sampleInvoice, studio } from './testing/sample-invoices';
import { qrModules, qrSvg, type QrModules, sepaQrPayload } from './sepa-qr';
import { epcFields, type Pixels, readQr } from './testing/read-qr';

const invoice = sampleInvoice([{ description: 'Werk', unitPriceCents: 10_000 }]);
const withSeller = (changes: Partial<FrozenInvoice['seller']>): FrozenInvoice => ({
  ...invoice,
  seller: { ...studio, ...changes },
});
const withTotal = (inclCents: number): FrozenInvoice => ({ ...invoice, totals: { ...invoice.totals, inclCents } });

/** The modules as a scanner sees them, four pixels each with the quiet zone. */
function paint({ size, isDark }: QrModules): Pixels {
  const side = (size + 8) * 4;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [row, column] = [Math.floor(y / 4) - 4, Math.floor(x / 4) - 4];
      const inside = row >= 0 && column >= 0 && row < size && column < size;
      if (inside && isDark(row, column)) data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
    }
  return { width: side, height: side, data };
}

test('the payload, line by line', () => {
  expect(sepaQrPayload(invoice)).toBe(
    'BCD\n002\n1\nSCT\nABNANL2A\nStudio Noorderlicht B.V.\nNL91ABNA0417164300\nEUR121.00\n\n\n2026-0042',
  );
  expect(sepaQrPayload(withSeller({ bic: '', iban: 'nl91 abna 0417 1643 00' }))).toContain(
    'SCT\n\nStudio Noorderlicht B.V.\nNL91ABNA0417164300\n',
  );
});

test.each([
  ['zero', withTotal(0)],
  ['negative', withTotal(-100)],
  ['above 999 999 999.99', withTotal(100_000_000_000)],
  ['no IBAN', withSeller({ iban: '' })],
  ['another currency', { ...invoice, currency: 'USD' as 'EUR' }],
  ['a credit note', { ...invoice, kind: 'credit_note' as const }],
])('no code for %s', (_what, document) => {
  expect(sepaQrPayload(document)).toBeNull();
});

test('the limits themselves have one', () => {
  expect(sepaQrPayload(withTotal(99_999_999_999))).toContain('\nEUR999999999.99\n');
  expect(sepaQrPayload(withTotal(1))).toContain('\nEUR0.01\n');
});

test('a line feed in a name moves no field', () => {
  const fields = epcFields(sepaQrPayload(withSeller({ name: 'A\nNL00EVIL0000000000\r\nEUR1.00' }))!);
  expect(fields).toMatchObject({
    name: 'A NL00EVIL0000000000 EUR1.00',
    iban: 'NL91ABNA0417164300',
    amount: 'EUR121.00',
  });
});

test('every name and number fits: 70 characters, 331 bytes, version 13, and comes back the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 180 }),
      fc.integer({ min: 1, max: 99_999_999_999 }),
      async (name, number, inclCents) => {
        const payload = sepaQrPayload({ ...withSeller({ name }), number, totals: { ...invoice.totals, inclCents } });
        if (payload === null) return;
        expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(331);
        const fields = epcFields(payload);
        expect([...fields['name']!].length).toBeLessThanOrEqual(70);
        expect(fields['amount']).toBe(`EUR${(inclCents / 100).toFixed(2)}`);
        expect(fields['iban']).toBe('NL91ABNA0417164300');
        expect(payload.endsWith('\n')).toBe(false);
        const modules = await qrModules(payload);
        expect((modules.size - 17) / 4).toBeLessThanOrEqual(13);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['plain', invoice],
  ['as long as can be', withSeller({ name: `${'Žluťoučký kůň '.repeat(6)}` })],
  ['emoji', withSeller({ name: `${'🎉'.repeat(90)}` })],
])('a scanner reads the code back: %s', async (_what, document) => {
  const payload = sepaQrPayload({ ...document, number: '2026-0042' })!;
  expect(payload).not.toBeNull();
  expect(readQr(paint(await qrModules(payload)))?.text).toBe(payload);
});

test('the SVG has no way out of its attributes', async () => {
  const svg = qrSvg(await qrModules('x'), '"><script>');
  expect(svg).not.toContain('<script');
  expect(svg.match(/</g)).toHaveLength(4);
});
