import { nextMailAttempt } from './mail-schedule';

test('waits grow, and end after about three days', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  let total = 0;
  let last = 0;
  let attempts = 1;
  for (; ; attempts++) {
    const next = nextMailAttempt(attempts, now, 0);
    if (!next) break;
    const wait = next.getTime() - now.getTime();
    expect(wait).toBeGreaterThan(last);
    expect(nextMailAttempt(attempts, now, 0.999)!.getTime()).toBeLessThan(now.getTime() + wait * 1.1);
    last = wait;
    total += wait;
  }
  expect(attempts).toBe(10);
  expect(total / 86_400_000).toBeGreaterThan(3);
});
