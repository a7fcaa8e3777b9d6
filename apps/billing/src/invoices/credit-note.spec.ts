import { requireValid } from '@invoicing/errors';
import fc from 'fast-check';
import { creditOf, type Credit, type CreditAsk } from './credit-note';
import type { VatTreatment } from './invoice';
import { priceLines, type LineInput } from './price-lines';
import { vatTreatments } from './totals';

function invoice(...inputs: LineInput[]) {
  return requireValid(priceLines(inputs, new Map()));
}

type Original = ReturnType<typeof invoice>;
const credit = (original: Original, earlier: Credit[], ...asked: CreditAsk[]): Credit =>
  requireValid(creditOf(original, earlier, asked));
const violationsOf = (original: Original, earlier: Credit[], ...asked: CreditAsk[]) =>
  creditOf(original, earlier, asked).violations ?? [];

test('a whole credit mirrors the invoice to the cent', () => {
  const original = invoice(
    { unitPriceCents: 333, quantity: '1.5' },
    { unitPriceCents: 50, vatTreatment: 'reduced_9' },
    { unitPriceCents: -20 },
  );
  const { lines, totals, creditedLines } = credit(original, []);
  expect(lines).toEqual(original.lines);
  expect(totals).toEqual(original.totals);
  expect(creditedLines.map(({ line, quantity }) => [line, quantity])).toEqual([
    [0, '1.5'],
    [1, '1'],
    [2, '1'],
  ]);
});

test('halves of an odd cent come to the whole: 61 and then 60, not 61 twice', () => {
  const original = invoice({ unitPriceCents: 50 }, { unitPriceCents: 50 });
  const first = credit(original, [], { line: 0 });
  const second = credit(original, [first]);
  expect([original, first, second].map(({ totals }) => totals.inclCents)).toEqual([121, 61, 60]);
});

test('more than is left, twice the same, what is not there and the other sign are refused', () => {
  const original = invoice({ unitPriceCents: 100, quantity: '3' }, { unitPriceCents: 100, quantity: '-2' });
  const first = credit(original, [], { line: 0, quantity: '2' });
  const faults = (...asked: CreditAsk[]) => violationsOf(original, [first], ...asked);
  expect(faults({ line: 0, quantity: '2' })).toEqual([
    { path: '/lines/0/quantity', message: "must be of the original's sign and at most 1" },
  ]);
  expect(faults({ line: 0 }, { line: 0 })).toMatchObject([{ path: '/lines/1/line' }]);
  expect(faults({ line: 2 }, { line: -1 })).toMatchObject([{ path: '/lines/0/line' }, { path: '/lines/1/line' }]);
  expect(faults({ line: 1, quantity: '1' }, { line: 0, quantity: '-1' })).toHaveLength(2);
  expect(faults({ line: 0, quantity: '0' }, { line: 1, quantity: 'x' })).toHaveLength(2);
  expect(faults({ line: 0, quantity: '1' }, { line: 1, quantity: '-2' })).toEqual([]);
});

test('nothing is left after everything', () => {
  const original = invoice({ unitPriceCents: 100 });
  const whole = credit(original, []);
  expect(violationsOf(original, [whole])).toMatchObject([{ path: '/lines' }]);
  expect(violationsOf(original, [whole], { line: 0 })).toMatchObject([{ path: '/lines/0/line' }]);
});

test('however it is divided, the parts come to the invoice exactly and no step gives back too much', () => {
  const anyInput = fc.record({
    unitPriceCents: fc.integer({ min: 0, max: 100_000 }),
    quantity: fc.integer({ min: 1, max: 5_000_000 }).map((n) => String(n / 1_000)),
    vatTreatment: fc.constantFrom<VatTreatment>(...vatTreatments),
  });
  fc.assert(
    fc.property(fc.array(anyInput, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat(999)), (inputs, dice) => {
      const original = invoice(...inputs);
      const notes: Credit[] = [];
      for (let round = 0; round < 3; round++) {
        const asked = original.lines.flatMap((line, index): CreditAsk[] => {
          const share = dice.next().value!;
          const thousandths = Math.floor((Number(line.quantity) * 1_000 * share) / 4_000);
          return share % 2 === 0 && thousandths > 0 ? [{ line: index, quantity: String(thousandths / 1_000) }] : [];
        });
        if (asked.length > 0) {
          notes.push(credit(original, notes, ...asked));
        }
      }
      notes.push(credit(original, notes));
      const sum = (of: (note: Credit) => number): number => notes.reduce((total, note) => total + of(note), 0);
      expect(sum(({ totals }) => totals.inclCents)).toBe(original.totals.inclCents);
      expect(sum(({ totals }) => totals.vatCents)).toBe(original.totals.vatCents);
      for (const { lines, totals } of notes) {
        expect(totals.exclCents).toBe(lines.reduce((total, line) => total + line.netCents, 0));
        expect(totals.vatCents).toBe(totals.groups.reduce((total, group) => total + group.vatCents, 0));
      }
    }),
  );
});
