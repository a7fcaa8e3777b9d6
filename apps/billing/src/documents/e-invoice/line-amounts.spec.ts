import fc from 'fast-check';
import { requireValid } from '@invoicing/errors';
import { creditOf } from '../../invoices/credit-note';
import { vatTreatments } from '../../invoices/totals';
import { sampleInvoice, type SampleLine } from '../testing/sample-invoices';
import { parseUbl, ublFaults } from '../testing/ubl-faults';
import { lineAmounts } from './line-amounts';
import { renderUbl } from './render-ubl';

const inclusive = { pricesIncludeVat: true as const, vatExemptionReason: 'artikel 11 Wet OB' };

const anyLine: fc.Arbitrary<SampleLine> = fc.record({
  description: fc.constant('Regel'),
  quantity: fc.oneof(
    fc.integer({ min: -1_000, max: 1_000 }).map(String),
    fc.integer({ min: -999_999_999, max: 999_999_999 }).map((millionths) => (millionths / 1e6).toFixed(6)),
  ),
  unitPriceCents: fc.integer({ min: -100_000, max: 100_000 }),
  vatTreatment: fc.constantFrom(...vatTreatments),
  discountBps: fc.constantFrom(0, 0, 1, 333, 1_250, 10_000),
});

test.each([
  ['excluding', {}, 0n],
  ['including', inclusive, 1n],
])('prices %s VAT, with discounts: the e-invoice keeps the rules', (_what, changes, vatSlackCents) => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 12 }), (lines) => {
      const xml = renderUbl(sampleInvoice(lines, changes));
      // Reverse charge, intra-Community and the like ask for other parties than the sample's; the figures are meant here.
      expect(ublFaults(xml, vatSlackCents)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('credit notes of parts keep them too', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 6 }), (lines) => {
      const positive = lines.map((line) => ({
        ...line,
        quantity: '1.5',
        unitPriceCents: Math.abs(line.unitPriceCents),
      }));
      const original = sampleInvoice(positive, inclusive);
      const credited = { invoiceId: original.id, number: original.number, issueDate: original.issueDate };
      const first = requireValid(creditOf(original, [], [{ line: 0, quantity: '0.333333' }]));
      const second = requireValid(creditOf(original, [first], []));
      for (const { creditedLines: _, ...credit } of [first, second]) {
        const note = { ...original, ...credit, kind: 'credit_note' as const, credited, number: 'C-2026-0001' };
        expect(ublFaults(renderUbl(note), 2n)).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});

test('€ 10.00 including 21 % is payable to the cent, its price is the net one', () => {
  const invoice = sampleInvoice([{ description: 'Kaartje', unitPriceCents: 1000 }], inclusive);
  const root = parseUbl(renderUbl(invoice));
  expect(root.value('LegalMonetaryTotal', 'PayableAmount')).toBe('10.00');
  expect(root.value('LegalMonetaryTotal', 'TaxInclusiveAmount')).toBe('10.00');
  expect(root.value('TaxTotal', 'TaxAmount')).toBe('1.74');
  expect(root.value('InvoiceLine', 'Price', 'PriceAmount')).toBe('8.26');
  expect(ublFaults(renderUbl(invoice), 1n)).toEqual([]);
});

test('many of a small price take more decimals', () => {
  const invoice = sampleInvoice([{ description: 'Schroef', quantity: '100000', unitPriceCents: 1 }], inclusive);
  expect(lineAmounts(invoice.lines[0]!)).toEqual({ price: '0.0082645' });
});

test('a discount is shown as one', () => {
  const invoice = sampleInvoice([{ description: 'Boek', quantity: '3', unitPriceCents: 1999, discountBps: 1_000 }]);
  const allowance = parseUbl(renderUbl(invoice)).one('InvoiceLine', 'AllowanceCharge')!;
  expect(allowance.children.map(({ name, text }) => [name, text])).toEqual([
    ['ChargeIndicator', 'false'],
    ['AllowanceChargeReason', 'Korting'],
    ['MultiplierFactorNumeric', '10'],
    ['Amount', '6.00'],
    ['BaseAmount', '59.97'],
  ]);
  expect(invoice.totals.exclCents).toBe(5397);
});

test("the buyer's reference, the note and the period are where the standard has them", () => {
  const lines = [{ description: 'Abonnement', unitPriceCents: 1000 }];
  const period = { from: '2026-11-01', to: '2026-11-30' };
  const xml = renderUbl(sampleInvoice(lines, { reference: 'PO-4711', note: 'Met dank.', period }));
  const root = parseUbl(xml);
  expect(root.value('BuyerReference')).toBe('PO-4711');
  expect(root.value('OrderReference', 'ID')).toBe('PO-4711');
  expect(root.value('Note')).toBe('Met dank.');
  expect(root.value('InvoicePeriod', 'StartDate')).toBe('2026-11-01');
  expect(root.value('InvoicePeriod', 'EndDate')).toBe('2026-11-30');
  expect(root.one('Delivery', 'ActualDeliveryDate')).toBeUndefined();
  expect(ublFaults(xml)).toEqual([]);
});
