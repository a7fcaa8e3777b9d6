import { nextAttempt, parseRetryAfter } from './retry-schedule';

const now = new Date('2026-01-01T00:00:00Z');
const waitSeconds = (tries: number, random = 0, retryAfterMs?: number): number | undefined => {
  const at = nextAttempt(tries, now, random, retryAfterMs);
  return at && (at.getTime() - now.getTime()) / 1000;
};

test('ten attempts: 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
  const hour = 3600;
  const waits = Array.from({ length: 9 }, (_, index) => waitSeconds(index + 1));
  expect(waits).toEqual([5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]);
  expect(waitSeconds(10)).toBeUndefined();
});

test('jitter only puts off, by less than a tenth', () => {
  expect(waitSeconds(2, 0.5)).toBe(315);
  expect(waitSeconds(2, 0.999999)!).toBeLessThan(330);
});

test('Retry-After puts off, brings nothing forward, and has a limit', () => {
  expect(waitSeconds(1, 0, 60_000)).toBe(60);
  expect(waitSeconds(3, 0, 60_000)).toBe(1800);
  expect(waitSeconds(1, 0, 365 * 86_400_000)).toBe(86_400);
  expect(waitSeconds(10, 0, 60_000)).toBeUndefined();
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['-5x', undefined],
  [undefined, undefined],
])('Retry-After: %s', (header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected);
});
