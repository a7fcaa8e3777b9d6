import fc from 'fast-check';
import { requireValid } from '@invoicing/errors';
import { creditOfAmount, creditOfRest, grossOf, groupsLeft, withinLeft } from './credit-amount';
import { creditOf, type Credit } from './credit-note';
import type { Line } from './invoice';
import { netCents, totalsOf, vatTreatments } from './totals';
import { parseQuantity } from './quantity';

const line = fc
  .record({
    vatTreatment: fc.constantFrom(...vatTreatments),
    units: fc.integer({ min: 1, max: 40 }),
    unitPriceCents: fc.integer({ min: -5_000, max: 50_000 }),
  })
  .map(({ units, ...rest }): Line => {
    const quantity = parseQuantity(String(units));
    if (typeof quantity === 'string') throw new Error(quantity);
    const net = Number(netCents(quantity, rest.unitPriceCents));
    return { description: 'x', productId: null, unit: '', quantity: String(units), netCents: net, ...rest };
  });

const invoice = fc
  .array(line, { minLength: 1, maxLength: 6 })
  .map((lines) => ({ lines, totals: totalsOf(lines)!, language: 'nl' as const }))
  .filter(({ totals }) => totals.inclCents > 0);

test('credits of sums come to the sum, give back of no rate more than is left, and together come to the invoice', () => {
  fc.assert(
    fc.property(invoice, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (original, parts) => {
      const notes: Credit[] = [];
      const left = (): number => groupsLeft(original, notes).reduce((sum, group) => sum + grossOf(group), 0);
      const credit = (amountCents: number): void => {
        const note = requireValid(creditOfAmount(original, notes, amountCents));
        expect(note.totals.inclCents).toBe(amountCents);
        expect(note.lines.reduce((sum, each) => sum + each.netCents, 0)).toBe(note.totals.exclCents);
        expect(withinLeft(note, original, notes).violations).toBeUndefined();
        notes.push(note);
      };
      for (const part of parts) if (left() > 0) credit(Math.max(1, Math.floor(left() * part)));
      if (left() > 0) notes.push(requireValid(creditOfRest(original, notes)));
      expect(groupsLeft(original, notes).every((group) => group.baseCents === 0 && group.vatCents === 0)).toBe(true);
    }),
  );
});

test('any sum from one cent to all of it can be credited of one rate, with the VAT of that rate', () => {
  const lines = [{ vatTreatment: 'standard_21' as const, netCents: 10_000 }];
  const original = { lines: [], totals: totalsOf(lines)!, language: 'nl' as const };
  for (let amountCents = 1; amountCents <= 12_100; amountCents++) {
    const { totals } = requireValid(creditOfAmount(original, [], amountCents));
    expect(totals.inclCents).toBe(amountCents);
    expect(Math.abs(totals.vatCents - (amountCents * 2_100) / 12_100)).toBeLessThanOrEqual(0.5);
  }
});

test('more than is left, nothing, and lines after sums that took their money are refused', () => {
  const lines = [{ vatTreatment: 'standard_21', netCents: 10_000, quantity: '10', unitPriceCents: 1_000 } as Line];
  const original = { lines, totals: totalsOf(lines)!, language: 'en' as const };
  const refused = (earlier: Credit[], amountCents: number): string[] =>
    (creditOfAmount(original, earlier, amountCents).violations ?? []).map(({ message }) => message);
  expect(refused([], 12_101)).toEqual(['must be whole cents from 1 to what is left: 12100']);
  expect(refused([], 0)).toHaveLength(1);
  expect(refused([], 1.5)).toHaveLength(1);
  const most = requireValid(creditOfAmount(original, [], 12_000));
  expect(refused([most], 101)).toEqual(['must be whole cents from 1 to what is left: 100']);
  const byLines = requireValid(creditOf(original, [most], [{ line: 0, quantity: '1' }]));
  expect(withinLeft(byLines, original, [most]).violations).toMatchObject([{ path: '/lines' }]);
});
