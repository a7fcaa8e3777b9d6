import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { businessDate } from '../invoices/business-date';
import { firstIndexFrom, occurrenceDate, startOfDay, type Schedule } from './recurrence';

const dates = (schedule: Schedule, count: number) =>
  Array.from({ length: count }, (_, n) => occurrenceDate(schedule, n));

test('31 January stays on the last day and comes back', () => {
  expect(dates({ freq: 'monthly', interval: 1, startDate: '2027-01-31' }, 5)).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
  ]);
});

test('29 February yearly returns to the 29th in leap years', () => {
  expect(dates({ freq: 'yearly', interval: 1, startDate: '2028-02-29' }, 5)).toEqual([
    '2028-02-29',
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ]);
});

const anchors = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2070-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const schedules = fc.record({
  freq: fc.constantFrom('weekly', 'monthly', 'quarterly', 'yearly'),
  interval: fc.integer({ min: 1, max: 100 }),
  startDate: fc.oneof(anchors, fc.constantFrom('2027-01-31', '2028-02-29', '2030-12-31', '2026-08-30')),
}) as fc.Arbitrary<Schedule>;

const oracle = ({ freq, interval, startDate }: Schedule, n: number): string => {
  const step = { weekly: { weeks: 1 }, monthly: { months: 1 }, quarterly: { months: 3 }, yearly: { years: 1 } }[freq];
  const [unit, size] = Object.entries(step)[0]!;
  return Temporal.PlainDate.from(startDate)
    .add({ [unit]: size * interval * n }, { overflow: 'constrain' })
    .toString();
};

test('thirty years of any schedule agree with Temporal', () => {
  fc.assert(
    fc.property(schedules, (schedule) => {
      const end = Temporal.PlainDate.from(schedule.startDate).add({ years: 30 }).toString();
      for (let n = 0, date = schedule.startDate; date <= end; n++, date = oracle(schedule, n))
        expect(occurrenceDate(schedule, n)).toBe(date > '2100-12-31' ? undefined : date);
    }),
    { numRuns: Number(process.env['SEEDS'] ?? 300) },
  );
});

test('the first occurrence from a date is the first one that is not before it', () => {
  fc.assert(
    fc.property(schedules, anchors, (schedule, date) => {
      const index = firstIndexFrom(schedule, date);
      expect(oracle(schedule, index) >= date).toBe(true);
      if (index > 0) expect(oracle(schedule, index - 1) < date).toBe(true);
    }),
  );
});

test('a day begins at the first instant that carries its date', () => {
  const zones = fc.constantFrom('Europe/Amsterdam', 'Africa/Cairo', 'Pacific/Apia', 'America/St_Johns', 'Asia/Beirut');
  fc.assert(
    fc.property(anchors, zones, (date, timezone) => {
      const start = startOfDay(date, timezone);
      const before = businessDate(new Date(start.getTime() - 1), timezone);
      const after = businessDate(start, timezone);
      // Samoa had no 30 December 2011: that day begins and ends at once.
      expect(before < date && after >= date).toBe(true);
    }),
  );
});
