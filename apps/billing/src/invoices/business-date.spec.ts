import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addDays, businessDate, dateFault } from './business-date';

test('the day is the one of the zone', () => {
  const instant = new Date('2026-03-31T22:30:00Z');
  expect(businessDate(instant, 'Europe/Amsterdam')).toBe('2026-04-01');
  expect(businessDate(instant, 'UTC')).toBe('2026-03-31');
  expect(businessDate(instant, 'America/Los_Angeles')).toBe('2026-03-31');
});

test.each(['2026-02-28', '2028-02-29', '2000-01-01', '2100-12-31'])('%s is a date', (text) => {
  expect(dateFault(text)).toBeUndefined();
});

test.each(['2026-02-30', '2026-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '1999-12-31', '2101-01-01'])(
  '%s is none',
  (text) => {
    expect(dateFault(text)).toBeDefined();
  },
);

test.each(['', '26-01-01', '2026-1-1', '2026-01-01T00:00:00Z', '01-01-2026', '{"$gt":""}'])('%p is no date', (text) => {
  expect(dateFault(text)).toBe('must be a date as YYYY-MM-DD');
});

test('days are added over months and leap years', () => {
  expect(addDays('2026-12-25', 14)).toBe('2027-01-08');
  expect(addDays('2028-02-20', 14)).toBe('2028-03-05');
});

test('the day of every zone at every moment is the one of Temporal', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');
  const instant = fc.date({ min: new Date('1970-01-02'), max: new Date('2100-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(instant, zone, fc.integer({ min: -800, max: 800 }), (at, timezone, days) => {
      const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDate();
      expect(businessDate(at, timezone)).toBe(day.toString());
      expect(addDays(day.toString(), days)).toBe(day.add({ days }).toString());
    }),
  );
  expect(() => businessDate(new Date(), 'Mars/Olympus')).toThrow(RangeError);
});
