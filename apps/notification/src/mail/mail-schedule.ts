import { scheduledMs } from '@invoicing/concurrency';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between attempts. Greylisting servers want some minutes; after about three days a message is given up. */
const WAITS_MS = [
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
  36 * HOUR_MS,
];

/** When to try again after `attempts` failed ones; undefined = give up. `random` in [0, 1) spreads by up to a tenth. */
export function nextMailAttempt(attempts: number, now: Date, random?: number): Date | undefined {
  const waitMs = scheduledMs(WAITS_MS, attempts, random);
  return waitMs === undefined ? undefined : new Date(now.getTime() + waitMs);
}
