import { taxPeriod } from './tax-period';

test.each([
  ['2026', '2026-01-01', '2026-12-31'],
  ['2026-Q1', '2026-01-01', '2026-03-31'],
  ['2026-Q4', '2026-10-01', '2026-12-31'],
  ['2028-02', '2028-02-01', '2028-02-29'],
])('%s is %s to %s', (period, from, to) => expect(taxPeriod(period)).toEqual({ from, to }));

test.each(['', '26', '2026-Q5', '2026-13', '2026-7', '1999', '2026-Q1 '])('%j is no period', (period) =>
  expect(() => taxPeriod(period)).toThrow(expect.objectContaining({ code: 'validation' })),
);
