import fc from 'fast-check';
import { LANGUAGES, formatMoney } from '@invoicing/design';
import type { VatTreatment } from '../../invoices/invoice';
import { ciiFacts, ublFacts } from '../testing/e-invoice-facts';
import { readPdfs, textOf } from '../testing/read-pdf';
import { sampleInvoice } from '../testing/sample-invoices';
import { renderCii } from '../e-invoice/render-cii';
import { renderUbl } from '../e-invoice/render-ubl';
import { sheetRenderer } from './sheet-renderer';

/** `RANDOM_INVOICES=5000 npx jest sheet-totals` for the long run. */
const COUNT = Number(process.env['RANDOM_INVOICES'] ?? 25);
const BATCH = 25;

const treatments: readonly VatTreatment[] = ['standard_21', 'reduced_9', 'zero', 'exempt'];
const invoices = fc
  .record({
    language: fc.constantFrom(...LANGUAGES),
    lines: fc.array(
      fc.record({
        description: fc.string({ minLength: 1, maxLength: 60 }).map((text) => text.trim() || 'x'),
        quantity: fc.integer({ min: 1, max: 99_999 }).map((thousandths) => String(thousandths / 1_000)),
        unitPriceCents: fc.integer({ min: 1, max: 9_999_999 }),
        vatTreatment: fc.constantFrom(...treatments),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ language, lines }) => sampleInvoice(lines, { language, vatExemptionReason: 'artikel 11 Wet OB' }));

const plain = (text: string): string => text.replace(/\s+/g, ' ');

test(
  'the totals that are read back from the PDF, from UBL and from CII are the invoice’s',
  async () => {
    const renderer = sheetRenderer();
    const all = fc.sample(invoices, COUNT);
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      const sheets: Uint8Array[] = [];
      for (const invoice of batch) sheets.push(await renderer.render({ invoice }, 'pdf', 'mail'));
      const read = await readPdfs(sheets);
      batch.forEach((invoice, index) => {
        const { totals, language, lines } = invoice;
        const text = plain(textOf(read[index]!));
        const money = (cents: number): string => plain(formatMoney(cents, language));
        const shown = [totals.exclCents, totals.vatCents, totals.inclCents, ...lines.map(({ netCents }) => netCents)];
        expect(shown.map(money).filter((amount) => !text.includes(amount))).toEqual([]);
        for (const { baseCents, vatCents } of totals.groups)
          expect(text).toContain(`${money(baseCents)} ${money(vatCents)}`);
        const [ubl, cii] = read[index]!.attachments.map((each) => each.text);
        expect(ubl).toBe(renderUbl(invoice));
        expect(cii).toBe(renderCii(invoice));
        const sums = [totals.exclCents, totals.exclCents, totals.inclCents, 0, totals.inclCents];
        for (const facts of [ublFacts(ubl!), ciiFacts(cii!)]) {
          expect((facts['sums'] as string[]).map(centsOf)).toEqual(sums);
          expect(centsOf(facts['vatAmount'] as string)).toBe(totals.vatCents);
        }
      });
    }
    renderer.close();
  },
  30_000 + COUNT * 1_000,
);

/** Of an amount with two decimals, without floating point; 0 where there is none. */
const centsOf = (amount: string): number => Number(amount.replace('.', ''));
