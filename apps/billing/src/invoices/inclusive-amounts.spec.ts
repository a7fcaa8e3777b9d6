import { requireValid } from '@invoicing/errors';
import fc from 'fast-check';
import { creditOfAmount, creditOfRest } from './credit-amount';
import { creditOf, type Credit } from './credit-note';
import { inclusiveAmounts } from './inclusive-amounts';
import { priceLines, type LineInput } from './price-lines';
import { totalsOf, vatTreatments } from './totals';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

test('every total from 0.01 to 1,000.00 is reached under every treatment', () => {
  let unreachable = 0;
  for (const vatTreatment of vatTreatments) {
    for (let grossCents = 1; grossCents <= 100_000; grossCents++) {
      const { totals, nets, trace } = inclusiveAmounts([{ vatTreatment, grossCents }])!;
      const isExact = totals.inclCents === grossCents && nets[0] === totals.exclCents;
      if (!isExact || Math.abs(trace[0]!.differenceCents) > 1) unreachable++;
    }
  }
  expect(unreachable).toBe(0);
});

test('without it € 10.00 is no total at 21 %', () => {
  const nearest = [826, 827].map((netCents) => totalsOf([{ vatTreatment: 'standard_21', netCents }])!.inclCents);
  expect(nearest).toEqual([999, 1001]);
  const { totals, trace } = inclusiveAmounts([{ vatTreatment: 'standard_21', grossCents: 1000 }])!;
  expect(totals).toMatchObject({ exclCents: 826, vatCents: 174, inclCents: 1000 });
  expect(trace).toEqual([
    {
      vatTreatment: 'standard_21',
      rateBps: 2100,
      grossCents: 1000,
      baseCents: 826,
      vatCents: 174,
      differenceCents: 1,
    },
  ]);
});

const anyLine = fc.record({
  vatTreatment: fc.constantFrom(...vatTreatments),
  grossCents: fc.integer({ min: -1e9, max: 1e9 }),
});

test('the total is what was asked, the lines of a group add up to its base, none is off by a cent or more', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 100 }), (lines) => {
      const { totals, nets } = inclusiveAmounts(lines)!;
      expect(totals.inclCents).toBe(sum(lines.map((line) => line.grossCents)));
      expect(totals.exclCents).toBe(sum(nets));
      for (const { vatTreatment, rateBps, baseCents } of totals.groups) {
        const own = nets.filter((_, index) => lines[index]!.vatTreatment === vatTreatment);
        expect(sum(own)).toBe(baseCents);
        lines.forEach((line, index) => {
          if (line.vatTreatment !== vatTreatment) return;
          expect(Math.abs(nets[index]! - line.grossCents / (1 + rateBps / 10_000))).toBeLessThanOrEqual(1);
        });
      }
    }),
  );
});

const anyInput: fc.Arbitrary<LineInput> = fc.record({
  quantity: fc.integer({ min: 1, max: 9_999 }).map((thousandths) => String(thousandths / 1000)),
  unitPriceCents: fc.integer({ min: 1, max: 100_000 }),
  vatTreatment: fc.constantFrom(...vatTreatments),
  discountBps: fc.constantFrom(0, 0, 333, 1_000, 10_000),
});

test('credit notes of parts come to the invoice exactly', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { minLength: 1, maxLength: 8 }), fc.nat(), (inputs, seed) => {
      const priced = requireValid(priceLines(inputs, new Map(), true));
      const original = { ...priced, pricesIncludeVat: true as const, language: 'nl' as const };
      const notes: Credit[] = [];
      const line = seed % inputs.length;
      notes.push(requireValid(creditOf(original, notes, [{ line, quantity: '0.001' }])));
      const whole = creditOf(original, notes, []);
      if (!whole.violations) notes.push(whole.value);
      expect(sum(notes.map(({ totals }) => totals.inclCents))).toBe(priced.totals.inclCents);
      expect(sum(notes.map(({ totals }) => totals.exclCents))).toBe(priced.totals.exclCents);
      for (const note of notes) {
        expect(sum(note.lines.map(({ netCents }) => netCents))).toBe(note.totals.exclCents);
        expect(sum(note.lines.map(({ grossCents }) => grossCents!))).toBe(note.totals.inclCents);
      }
    }),
  );
});

test('a sum is credited at prices including VAT, as the invoice has them', () => {
  const priced = requireValid(priceLines([{ unitPriceCents: 1000 }], new Map(), true));
  const original = { ...priced, pricesIncludeVat: true as const, language: 'nl' as const };
  const part = requireValid(creditOfAmount(original, [], 333));
  expect(part.lines).toMatchObject([{ unitPriceCents: 333, grossCents: 333, netCents: part.totals.exclCents }]);
  const rest = requireValid(creditOfRest(original, [part]));
  expect([rest.totals.inclCents, rest.totals.exclCents + part.totals.exclCents]).toEqual([667, 826]);
});

test('a sum beyond 2^53 − 1 has no amounts', () => {
  const most = { vatTreatment: 'zero' as const, grossCents: Number.MAX_SAFE_INTEGER };
  expect(inclusiveAmounts([most])).toBeDefined();
  expect(inclusiveAmounts([most, { ...most, vatTreatment: 'exempt' }])).toBeUndefined();
  expect(inclusiveAmounts([most, most])).toBeUndefined();
});
