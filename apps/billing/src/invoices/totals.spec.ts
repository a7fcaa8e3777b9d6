import fc from 'fast-check';
import type { VatTreatment } from './invoice';
import { parseQuantity, type Decimal } from './quantity';
import { netCents, roundedQuotient, totalsOf, vatTreatments } from './totals';

const net = (quantity: string, price: number): number => Number(netCents(parseQuantity(quantity) as Decimal, price));
const line = (cents: number, vatTreatment: VatTreatment = 'standard_21') => ({ netCents: cents, vatTreatment });

describe('the vectors of domain.md', () => {
  test.each([
    ['1.005', 100, 101],
    ['0.5', 1, 1],
    ['-0.5', 1, -1],
    ['1.15', 300, 345],
  ])('net(%s, %d) = %d', (quantity, price, expected) => {
    expect(net(quantity, price)).toBe(expected);
  });

  test('bases 3750 and 1250 at 2100 bps → VAT 1050 together', () => {
    expect(totalsOf([line(3750), line(1250)])).toMatchObject({ exclCents: 5000, vatCents: 1050, inclCents: 6050 });
  });

  test('five lines of 50 at 2100 bps → VAT 53', () => {
    expect(totalsOf(Array.from({ length: 5 }, () => line(50)))).toMatchObject({ vatCents: 53, inclCents: 303 });
  });
});

test('each treatment is a group of its own, in the order of the contract', () => {
  const totals = totalsOf([line(100, 'exempt'), line(100, 'zero'), line(100, 'reduced_9'), line(100)])!;
  expect(totals.groups.map((group) => [group.vatTreatment, group.rateBps, group.vatCents])).toEqual([
    ['standard_21', 2100, 21],
    ['reduced_9', 900, 9],
    ['zero', 0, 0],
    ['exempt', 0, 0],
  ]);
});

test('a sum beyond 2^53 − 1 has no totals', () => {
  expect(totalsOf([line(Number.MAX_SAFE_INTEGER, 'zero')])).toMatchObject({ inclCents: Number.MAX_SAFE_INTEGER });
  expect(totalsOf([line(Number.MAX_SAFE_INTEGER, 'zero'), line(1, 'zero')])).toBeUndefined();
  expect(totalsOf([line(Number.MAX_SAFE_INTEGER)])).toBeUndefined();
  expect(totalsOf([line(-Number.MAX_SAFE_INTEGER)])).toBeUndefined();
  // Each group fits, their sum does not.
  expect(totalsOf([line(Number.MAX_SAFE_INTEGER, 'zero'), line(1, 'exempt')])).toBeUndefined();
});

const anyLine = fc.record({
  netCents: fc.integer({ min: -1e12, max: 1e12 }),
  vatTreatment: fc.constantFrom<VatTreatment>(...vatTreatments),
});
const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 500 });

test('the sum of the groups is the total, and the total is the sum of the lines', () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const { exclCents, vatCents, inclCents, groups } = totalsOf(lines)!;
      expect(exclCents).toBe(lines.reduce((sum, each) => sum + each.netCents, 0));
      expect(exclCents).toBe(groups.reduce((sum, each) => sum + each.baseCents, 0));
      expect(vatCents).toBe(groups.reduce((sum, each) => sum + each.vatCents, 0));
      expect(inclCents).toBe(exclCents + vatCents);
    }),
  );
});

test('VAT of a group is its base × rate, never more than half a cent off', () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      for (const { baseCents, vatCents, rateBps } of totalsOf(lines)!.groups) {
        const error = BigInt(baseCents) * BigInt(rateBps) - BigInt(vatCents) * 10_000n;
        expect(error <= 5_000n && error >= -5_000n).toBe(true);
      }
    }),
  );
});

test('the order of the lines does not matter', () => {
  fc.assert(
    fc.property(
      anyLines.chain((lines) => fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length }))),
      ([lines, shuffled]) => expect(totalsOf(shuffled)).toEqual(totalsOf(lines)),
    ),
  );
});

test('turned round, every amount is the same with the other sign', () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const turned = totalsOf(lines.map((each) => ({ ...each, netCents: 0 - each.netCents })))!;
      const totals = totalsOf(lines)!;
      expect(turned.inclCents + totals.inclCents).toBe(0);
      expect(turned.vatCents + totals.vatCents).toBe(0);
    }),
  );
});

test('rounding is half away from zero', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 8n }), (n, d) => {
      const rounded = roundedQuotient(n, d);
      const twice = 2n * (n - rounded * d);
      expect(twice <= d && twice >= -d).toBe(true);
      // At exactly half the result is the one further from zero.
      if (twice === d) expect(n < 0n).toBe(true);
      if (twice === -d) expect(n > 0n).toBe(true);
    }),
  );
});
