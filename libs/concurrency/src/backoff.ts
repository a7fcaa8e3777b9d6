/** Waits that double after each failure in a row. */
export interface Backoff {
  /** Wait after the first failure. */
  readonly firstMs: number;
  /** No wait is longer, but for the spread. */
  readonly longestMs: number;
  /** Up to this part longer, so that what failed together does not come back together. Default: a tenth. */
  readonly spread?: number;
}

const SPREAD = 0.1;

/** Milliseconds to wait after that many failures in a row (from 1). `random` in [0, 1) places the wait within its spread. */
export function backoffMs(
  { firstMs, longestMs, spread = SPREAD }: Backoff,
  failures: number,
  random = Math.random(),
): number {
  // More doublings than this are longer than any wait, and no safe integer.
  const doublings = Math.min(Math.max(failures - 1, 0), 40);
  return Math.min(firstMs * 2 ** doublings, longestMs) * (1 + spread * random);
}

/**
 * The same for a schedule of waits that are given one by one: milliseconds after that many failures in a row (from 1), a tenth longer
 * at most; undefined when the schedule has come to its end.
 */
export function scheduledMs(waitsMs: readonly number[], failures: number, random = Math.random()): number | undefined {
  const waitMs = waitsMs[failures - 1];
  return waitMs === undefined ? undefined : waitMs * (1 + SPREAD * random);
}
