import { scheduledMs } from '@invoicing/concurrency';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Waits before the second, third, … attempt. The first is made at once; after the tenth a delivery has failed. */
export const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** An endpoint that has answered nothing well for this long is disabled. */
export const FAILING_LIMIT_MS = 5 * DAY_MS;

/** A receiver may not put us off for longer than the longest wait. */
const RETRY_AFTER_LIMIT_MS = DAY_MS;

/**
 * When to try again after `tries` failed attempts; undefined = never. Up to a tenth later than the schedule (`random` in [0, 1)),
 * so that deliveries that failed together do not come back together, and never before what Retry-After asks for.
 */
export function nextAttempt(
  tries: number,
  now: Date,
  random: number,
  retryAfterMs: number | undefined,
): Date | undefined {
  const waitMs = scheduledMs(WAITS_MS, tries, random);
  if (waitMs === undefined) return undefined;
  return new Date(now.getTime() + Math.max(waitMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_LIMIT_MS)));
}

/** Milliseconds that a Retry-After header asks for (seconds, or an HTTP date); undefined when it makes no sense. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
