import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addDays } from '../invoices/business-date';
import { goingOn, periodFrom, suppliedIn, withLaterTerms, type Pause, type SubscriptionPlan } from './subscription';

const RUNS = Number(process.env['SEEDS'] ?? 300);
const FREQS = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;
const STEPS = { weekly: { days: 7 }, monthly: { months: 1 }, quarterly: { months: 3 }, yearly: { months: 12 } };

const planFrom = (startDate: string, freq: SubscriptionPlan['freq'], interval: number): SubscriptionPlan => ({
  startDate,
  freq,
  interval,
  customerId: 'customer',
  profileId: 'profile',
  autoSendEmail: true,
  autoSendPost: false,
  lines: [{ unitPriceCents: 0 }],
});

interface Change {
  readonly from: string;
  readonly freq?: SubscriptionPlan['freq'];
  readonly interval?: number;
  readonly price?: number;
  /** It is asked for once so many invoices are made. */
  readonly afterInvoices: number;
}

const dates = fc.integer({ min: 0, max: 1_500 }).map((days) => addDays('2027-01-01', days));
const changes: fc.Arbitrary<Change> = fc.record(
  {
    from: dates,
    freq: fc.constantFrom(...FREQS),
    interval: fc.integer({ min: 1, max: 4 }),
    price: fc.integer({ min: 1, max: 9 }),
    afterInvoices: fc.integer({ min: 0, max: 9 }),
  },
  { requiredKeys: ['from', 'afterInvoices'] },
);
const scenario = fc.record({
  start: fc.oneof(dates, fc.constantFrom('2027-01-31', '2028-02-29', '2027-08-30')),
  freq: fc.constantFrom(...FREQS),
  interval: fc.integer({ min: 1, max: 3 }),
  changes: fc.array(changes, { maxLength: 4 }),
  pauses: fc.array(fc.tuple(dates, fc.integer({ min: 1, max: 200 })), { maxLength: 2 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

interface Made {
  readonly date: string;
  readonly price: number;
  readonly to: string;
}
// Of four years each they end before 2100, where documents end.
const COUNT = 14;

/** As the service does: what is stored after each invoice decides the next. */
function stored({ start, freq, interval, ...given }: Scenario): Made[] {
  const pauses = given.pauses.map(([from, days]): Pause => ({ from, until: addDays(from, days) }));
  const made: Made[] = [];
  let plan = planFrom(start, freq, interval);
  let next = periodFrom(plan, pauses, 0);
  while (next && made.length < COUNT) {
    for (const { from, price, afterInvoices, ...rhythm } of given.changes) {
      if (afterInvoices !== made.length) continue;
      const lines = price === undefined ? {} : { lines: [{ unitPriceCents: price }] };
      const moved = goingOn(
        periodFrom(withLaterTerms(next!.plan, { from, ...rhythm, ...lines }), pauses, next!.index)!,
        pauses,
      );
      // An update never moves the next period, only what comes with it.
      expect([moved.nextIndex, moved.nextRunDate]).toEqual([next!.index, next!.date]);
      plan = { ...plan, ...moved } as SubscriptionPlan;
      next = periodFrom(plan, pauses, moved.nextIndex);
    }
    const { date, index } = next!;
    made.push({ date, price: next!.plan.lines[0]!.unitPriceCents!, to: suppliedIn(next!.plan, { index, date })!.to });
    plan = next!.plan;
    next = periodFrom(plan, pauses, index + 1);
  }
  return made;
}

/** Occurrence by occurrence with Temporal; every one asks all changes of its time which of them counts. */
function told({ start, freq, interval, ...given }: Scenario): Made[] {
  const pauses = given.pauses.map(([from, days]) => ({ from, until: addDays(from, days) }));
  const made: Made[] = [];
  let later: Omit<Change, 'afterInvoices'>[] = [];
  let now = { freq, interval, price: 0 };
  let anchor = { date: start, day: Number(start.slice(8)), count: 0 };
  const dateOf = (count: number): string => {
    const { months = 0, days = 0 } = STEPS[now.freq] as { months?: number; days?: number };
    const steps = count * now.interval;
    const moved = Temporal.PlainDate.from(anchor.date)
      .with({ day: 1 })
      .add({ months: months * steps });
    if (days > 0)
      return Temporal.PlainDate.from(anchor.date)
        .add({ days: days * steps })
        .toString();
    return moved.with({ day: Math.min(anchor.day, moved.daysInMonth) }).toString();
  };
  const isPaused = (date: string): boolean => pauses.some(({ from, until }) => from <= date && date < until);
  const turn = (date: string): void => {
    while (later[0] && later[0].from <= date) {
      const { from: _, ...change } = later.shift()!;
      const before = now;
      now = { ...now, ...change };
      if (before.freq === now.freq && before.interval === now.interval) continue;
      anchor = { date, day: before.freq === 'weekly' ? Number(date.slice(8)) : anchor.day, count: 0 };
    }
  };
  let asked = -1;
  while (made.length < COUNT) {
    let date = dateOf(anchor.count);
    turn(date);
    // What is asked for between two invoices meets the first period that is not in a pause.
    if (asked < made.length && !isPaused(date)) {
      for (const { afterInvoices, ...change } of given.changes) {
        if (afterInvoices !== made.length) continue;
        const same = later.find(({ from }) => from === change.from);
        later = [...later.filter((each) => each !== same), { ...same, ...change }].sort((a, b) =>
          a.from < b.from ? -1 : 1,
        );
        turn(date);
      }
      asked = made.length;
      date = dateOf(anchor.count);
    }
    const price = now.price;
    const to = addDays(dateOf(anchor.count + 1), -1);
    if (!isPaused(date)) made.push({ date, price, to });
    anchor = { ...anchor, count: anchor.count + 1 };
  }
  return made;
}

test('whatever is changed, from whatever date, between whatever invoices: dates, periods and prices are those of the calendar', () => {
  fc.assert(
    fc.property(scenario, (given) => {
      expect(stored(given)).toEqual(told(given));
    }),
    { numRuns: RUNS },
  );
});

test('without a pause each period begins on the day after the one before', () => {
  fc.assert(
    fc.property(scenario, (given) => {
      const made = stored({ ...given, pauses: [] });
      made.slice(1).forEach(({ date }, at) => expect(addDays(made[at]!.to, 1)).toBe(date));
    }),
    { numRuns: RUNS },
  );
});

test('the 31st comes back after a month that is too short, in another rhythm too', () => {
  const plan = withLaterTerms(planFrom('2027-01-31', 'monthly', 1), { from: '2027-02-10', interval: 2 });
  const made: string[] = [];
  for (let next = periodFrom(plan, [], 0); made.length < 4; next = periodFrom(next!.plan, [], next!.index + 1))
    made.push(next!.date);
  expect(made).toEqual(['2027-01-31', '2027-02-28', '2027-04-30', '2027-06-30']);
});
