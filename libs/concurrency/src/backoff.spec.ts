import fc from 'fast-check';
import { backoffMs, scheduledMs } from './backoff';

test('waits double from the first to the longest', () => {
  const backoff = { firstMs: 5_000, longestMs: 3_600_000 };
  expect([1, 2, 3, 10, 11, 1_000].map((failures) => backoffMs(backoff, failures, 0))).toEqual([
    5_000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000,
  ]);
});

test('the spread only puts off, by its part at most', () => {
  const backoff = fc.record({
    firstMs: fc.integer({ min: 1, max: 60_000 }),
    longestMs: fc.integer({ min: 60_000, max: 1e8 }),
  });
  fc.assert(
    fc.property(backoff, fc.nat(2_000), fc.double({ min: 0, max: 0.999, noNaN: true }), (each, failures, random) => {
      const shortest = backoffMs(each, failures, 0);
      const wait = backoffMs({ ...each, spread: 0.2 }, failures, random);
      expect(wait).toBeGreaterThanOrEqual(shortest);
      expect(wait).toBeLessThan(shortest * 1.2 + 1);
    }),
  );
});

test('a schedule has an end', () => {
  expect([1, 2, 3].map((failures) => scheduledMs([30, 60], failures, 0))).toEqual([30, 60, undefined]);
  expect(scheduledMs([100], 1, 0.5)).toBeCloseTo(105);
});
