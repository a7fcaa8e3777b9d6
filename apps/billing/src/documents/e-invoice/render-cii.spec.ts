import fc from 'fast-check';
import { vatTreatments } from '../../invoices/totals';
import { ciiFacts, ublFacts } from '../testing/e-invoice-facts';
import { sampleInvoice } from '../testing/sample-invoices';
import { sampleSheets } from '../testing/sample-sheets';
import type { SheetSource } from '../sheet/sheet-source';
import { eurosOf } from './e-invoice';
import { renderCii } from './render-cii';
import { renderUbl } from './render-ubl';
import { specificationOf } from './specification';

const EN_16931 = 'urn:cen.eu:en16931:2017';

/** Both syntaxes say the same, and the sums are the invoice's. */
function expectSame({ invoice, account }: Pick<SheetSource, 'invoice' | 'account'>): void {
  const cii = ciiFacts(renderCii(invoice, account));
  const ubl = ublFacts(renderUbl(invoice, account));
  // NLCIUS, which is no matter of CII, leaves out codes that EN 16931 has.
  if (specificationOf(invoice) !== 'nlcius') expect({ ...cii, specification: ubl['specification'] }).toEqual(ubl);
  const { exclCents, vatCents, inclCents, groups } = invoice.totals;
  expect(cii['sums']).toEqual(expect.arrayContaining([exclCents, inclCents].map(eurosOf)));
  expect(cii['vatAmount']).toBe(eurosOf(vatCents));
  expect((cii['vat'] as string[][]).map((each) => each.slice(0, 2))).toEqual(
    groups.map((group) => [eurosOf(group.baseCents), eurosOf(group.vatCents)]),
  );
}

test.each([...sampleSheets()])('%s: CII says what UBL says, by every specification', (_name, source) => {
  expectSame(source);
  expectSame({ ...source, invoice: { ...source.invoice, eInvoiceRules: 'national' } });
});

test('any lines', () => {
  const line = fc.record({
    description: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map((text) => `x${text}`),
    quantity: fc.integer({ min: -2_000_000, max: 2_000_000 }).map((thousandths) => (thousandths / 1_000).toString()),
    unitPriceCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    vatTreatment: fc.constantFrom(...vatTreatments),
    discountBps: fc.constantFrom(0, 0, 500, 10_000),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.boolean(), (lines, inclusive) => {
      expectSame({ invoice: sampleInvoice(lines, inclusive ? { pricesIncludeVat: true } : {}) });
    }),
    { numRuns: 100 },
  );
});

test('the profile EN 16931 of Factur-X, XRechnung where the organisation wishes the countries’ own', () => {
  const { invoice } = sampleSheets().get('to-a-german-abroad')!;
  expect(ciiFacts(renderCii(invoice))['specification']).toBe(EN_16931);
  expect(ciiFacts(renderCii({ ...invoice, eInvoiceRules: 'national' }))['specification']).toBe(
    `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`,
  );
});
