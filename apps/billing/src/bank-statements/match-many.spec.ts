import { matchAll, newReport } from '../testing/adversarial-lines';
import type { InvoiceBook } from './invoice-book';
import { matchLine } from './match-line';
import type { StatementLine, Verdict } from './bank-line';

const ORGANIZATIONS = 8 * Number(process.env['SEEDS'] ?? 1);
const DEBTORS = 300;

test('adversarial statements: nothing is booked where it does not belong, and most of what could be is', () => {
  const report = newReport();
  for (let seed = 1; seed <= ORGANIZATIONS; seed++) matchAll(seed, DEBTORS, report);
  expect(report.falseBookings).toEqual([]);
  expect(report.lines).toBeGreaterThan(8_000);
  // What is never proof.
  for (const habit of [
    'split',
    'combined_all_named',
    'combined_one_named',
    'no_number',
    'only_a_day',
    'refund',
    'taken_back',
  ])
    expect(report.byHabit[habit]).toMatchObject({ booked: 0 });
  expect(report.byHabit['honest']!.booked / report.byHabit['honest']!.lines).toBeGreaterThan(0.75);
});

type Bad = (line: StatementLine, book: InvoiceBook) => Verdict;
const booked = (verdict: Verdict, why: string): Verdict =>
  verdict.kind === 'ask' && verdict.why === why && verdict.candidates[0]
    ? { kind: 'book', rule: 'number', candidate: verdict.candidates[0] }
    : verdict;

// A rule that may go without a red test is none.
test.each<[string, Bad]>([
  ['whoever pays', (line, book) => booked(matchLine(line, book), 'payer_unknown')],
  ['whatever the amount', (line, book) => booked(matchLine(line, book), 'amount_differs')],
  ['what is paid already', (line, book) => booked(matchLine(line, book), 'not_open')],
  ['the first of several', (line, book) => booked(matchLine(line, book), 'names_several')],
  ['by amount and name alone', (line, book) => booked(matchLine(line, book), 'names_nothing')],
  ['a namesake', (line, book) => booked(matchLine(line, book), 'namesake')],
  ['one slip away', (line, book) => booked(matchLine(line, book), 'similar_number')],
  ['what was taken back', (line, book) => booked(matchLine(line, book), 'reversal')],
])('notices who books %s', (_name, bad) => {
  const report = newReport();
  for (let seed = 1; seed <= 200 && report.falseBookings.length === 0; seed++) matchAll(seed, DEBTORS, report, bad);
  expect(report.falseBookings).not.toEqual([]);
});
