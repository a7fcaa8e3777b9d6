import { Temporal } from 'temporal-polyfill';
import { validationError } from '@invoicing/errors';

/** How far the time of a test organisation is ahead of real time. */
export interface Clock {
  /** The organisation. */
  readonly _id: string;
  readonly aheadMs: number;
  /** Of the move that it stands at. */
  readonly operationId?: string;
}

/** Where a clock is to be moved: to a time, or by an ISO 8601 duration. */
export interface ClockMove {
  readonly at?: Date | undefined;
  readonly by?: string | undefined;
}

const MAX_YEARS_AHEAD = 10;
// Telling a clock to show what it shows is no step back, however long the request was on its way.
const SLACK_MS = 60_000;

/**
 * The time that a clock shows once it is moved. A clock only runs forward, as the world does: what was sent stays sent. Months are those
 * of the organisation's calendar. Throws `validation`.
 */
export function movedTo({ at, by }: ClockMove, now: Date, timezone: string, realNow: Date): Date {
  if ((at === undefined) === (by === undefined))
    throw validationError([{ path: '', message: 'takes either a time (at) or a duration (by)' }]);
  const [path, target] = at ? ['/at', at] : ['/by', later(by!, now, timezone)];
  if (!target || Number.isNaN(target.getTime()))
    throw validationError([{ path, message: 'must be an ISO 8601 duration such as P1M, P7D or PT2H' }]);
  if (target.getTime() < now.getTime() - SLACK_MS)
    throw validationError([{ path, message: `must not be before ${now.toISOString()}: a clock only runs forward` }]);
  if (target.getTime() > realNow.getTime() + MAX_YEARS_AHEAD * 366 * 86_400_000)
    throw validationError([{ path, message: `must be within ${MAX_YEARS_AHEAD} years of today` }]);
  return target;
}

function later(by: string, now: Date, timezone: string): Date | undefined {
  try {
    const start = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone);
    return new Date(start.add(Temporal.Duration.from(by)).epochMilliseconds);
  } catch (error) {
    // Not a duration, or one out of any calendar's range.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
