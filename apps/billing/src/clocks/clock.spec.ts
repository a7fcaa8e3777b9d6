import fc from 'fast-check';
import { movedTo } from './clock';

const ZONE = 'Europe/Amsterdam';
const NOW = new Date('2026-01-31T11:00:00Z');
const move = (given: Parameters<typeof movedTo>[0], now = NOW) => movedTo(given, now, ZONE, NOW).toISOString();
const refusal = (given: Parameters<typeof movedTo>[0]) => {
  try {
    return move(given);
  } catch (error) {
    return (error as { details?: { path: string; message: string }[] }).details?.[0];
  }
};

test.each([
  ['P1M', '2026-02-28T11:00:00.000Z'],
  ['P2M', '2026-03-31T10:00:00.000Z'],
  ['PT2H', '2026-01-31T13:00:00.000Z'],
  ['P1Y', '2027-01-31T11:00:00.000Z'],
])('%s is counted in the calendar of the organisation: noon stays noon over the change to summer time', (by, shown) => {
  expect(move({ by })).toBe(shown);
});

test('a clock is moved to a time, or by a duration, and never back', () => {
  expect(move({ at: new Date('2027-01-31T09:00:00Z') })).toBe('2027-01-31T09:00:00.000Z');
  expect(refusal({})).toMatchObject({ message: expect.stringContaining('either') });
  expect(refusal({ at: NOW, by: 'P1D' })).toMatchObject({ message: expect.stringContaining('either') });
  expect(refusal({ at: new Date('2026-01-30T00:00:00Z') })).toMatchObject({ path: '/at' });
  expect(refusal({ by: '-P1D' })).toMatchObject({ path: '/by', message: expect.stringContaining('only runs forward') });
  expect(refusal({ by: 'P11Y' })).toMatchObject({ path: '/by', message: expect.stringContaining('within 10 years') });
  for (const by of ['', '1 month', 'P', 'P1', 'P99999999Y'])
    expect(refusal({ by })).toEqual({ path: '/by', message: expect.any(String) });
});

test('what is not a duration is refused as one, whatever it says', () => {
  fc.assert(
    fc.property(fc.string(), (by) => {
      const found = refusal({ by });
      expect(typeof found === 'string' ? new Date(found) >= NOW : found?.path === '/by').toBe(true);
    }),
  );
});
