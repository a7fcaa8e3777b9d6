import { single, type BenchFigure } from '@invoicing/testing';
import { matchAll, newReport } from '../testing/adversarial-lines';

const LINES = Number(process.env['LINES'] ?? 1_000_000);
const DEBTORS = 2_000;

/** Adversarial statement lines through the matching rules: how many were booked, how many wrongly (none), how fast. */
export function run(): Promise<readonly BenchFigure[]> {
  const report = newReport();
  const startedAt = performance.now();
  for (let seed = 1; report.lines < LINES; seed++) matchAll(seed, DEBTORS, report);
  const seconds = (performance.now() - startedAt) / 1_000;
  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  const { lines, booked, questions, left, bookable, falseBookings, byHabit } = report;
  console.log(`lines            ${lines}, ${Math.round(lines / seconds)} a second with their making`);
  console.log(
    `booked           ${booked}: ${share(booked, lines)} of all, ${share(booked, bookable)} of those for exactly one open invoice`,
  );
  console.log(`questions        ${questions}, left alone ${left}`);
  console.log(`false bookings   ${falseBookings.length}`);
  for (const [habit, each] of Object.entries(byHabit))
    console.log(`  ${habit.padEnd(20)} ${share(each.booked, each.lines)}`);
  if (falseBookings.length > 0) throw new Error(falseBookings.slice(0, 5).join('\n'));
  const figure = (name: string, unit: string, value: number): BenchFigure => ({ name, unit, ours: single(value) });
  return Promise.resolve([
    figure('adversarial statement lines', 'lines', lines),
    { ...figure('booked wrongly', 'lines', falseBookings.length), aim: { of: 'value', atMost: 0 } },
    figure('booked of those for exactly one open invoice', '%', (100 * booked) / bookable),
    figure('matched, with their making', 'lines/s', lines / seconds),
  ]);
}
