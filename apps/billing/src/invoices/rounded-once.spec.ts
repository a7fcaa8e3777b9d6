import { creditOfAmount } from './credit-amount';
import { lineCents } from './totals';

test('a line with a discount is rounded once', () => {
  expect(lineCents({ coefficient: 5n, scale: 1 }, 1, 5_000)).toBe(0n);
});

test('a credit gives back no more VAT than is left, whatever its own share would be', () => {
  const group = { vatTreatment: 'standard_21' as const, rateBps: 2_100 };
  const totals = (baseCents: number, vatCents: number) => ({
    ...{ exclCents: baseCents, vatCents, inclCents: baseCents + vatCents },
    groups: [{ ...group, baseCents, vatCents }],
  });
  const original = { lines: [], totals: totals(10, 2), language: 'nl' as const };
  const credit = creditOfAmount(original, [{ totals: totals(3, 1) }, { totals: totals(3, 1) }], 3);
  expect(credit).toMatchObject({ value: { totals: { exclCents: 3, vatCents: 0, inclCents: 3 } } });
});
