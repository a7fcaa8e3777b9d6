import fc from 'fast-check';
import { lastMonths, moneyByMonth, type MoneyEntry } from './money-by-month';

test('the last months, across a year', () => {
  expect(lastMonths('2026-02-28', 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  expect(lastMonths('2026-12-01', 1)).toEqual(['2026-12']);
});

const entry = (changes: Partial<MoneyEntry>): MoneyEntry => ({
  ...{ _id: String(Math.random()), type: 'payment', amountCents: 100, date: '2026-11-03', provider: 'bank' },
  ...changes,
});

test('payments come in, refunds and chargebacks go out; what was taken back or only moved is neither', () => {
  const mistake = entry({ amountCents: 7 });
  const entries = [
    entry({ amountCents: 500 }),
    entry({ amountCents: 250, date: '2026-10-31' }),
    entry({ type: 'refund', amountCents: 40 }),
    entry({ type: 'chargeback', amountCents: 2 }),
    entry({ type: 'write_off', amountCents: 9 }),
    mistake,
    entry({ type: 'reversal', amountCents: 7, of: mistake._id }),
    entry({ provider: 'transfer', amountCents: 60 }),
    entry({ type: 'refund', provider: 'transfer', amountCents: 60 }),
    entry({ date: '2020-01-01' }),
  ];
  expect(moneyByMonth(['2026-10', '2026-11'], entries)).toEqual([
    { month: '2026-10', inCents: 250, outCents: 0 },
    { month: '2026-11', inCents: 500, outCents: 42 },
  ]);
});

test('the months together are all the money that moved in them', () => {
  const months = lastMonths('2026-11-22', 12);
  const one = fc.record({
    type: fc.constantFrom('payment' as const, 'refund' as const),
    amountCents: fc.integer({ min: 1, max: 1e9 }),
    date: fc.constantFrom(...months.map((month) => `${month}-15`)),
  });
  fc.assert(
    fc.property(fc.array(one), (some) => {
      const entries = some.map((each, index) => entry({ ...each, _id: String(index) }));
      const sum = (type: string) => some.reduce((all, each) => all + (each.type === type ? each.amountCents : 0), 0);
      const found = moneyByMonth(months, entries);
      expect(found.reduce((all, { inCents }) => all + inCents, 0)).toBe(sum('payment'));
      expect(found.reduce((all, { outCents }) => all + outCents, 0)).toBe(sum('refund'));
    }),
  );
});
