import { Temporal } from 'temporal-polyfill';
import { validationError } from '@invoicing/errors';
import { businessDate } from './business-date';

/** What a list of documents is ordered by: newest first, those of a period by their day before that. */
export interface ListPosition {
  /** YYYY-MM-DD; only in the list of a period. */
  readonly day?: string | undefined;
  readonly createdAt: Date;
  readonly _id: string;
}

/** Days as YYYY-MM-DD, both included; absent: without end. */
export interface ListPeriod {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** In which a draft without a date has its day. */
  readonly timezone: string;
}

/** What comes first in a list. */
export const listOrder = (a: ListPosition, b: ListPosition): number => {
  if (a.day !== b.day) return (a.day ?? '') < (b.day ?? '') ? 1 : -1;
  return b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? 1 : a._id > b._id ? -1 : 0);
};

/** Where a document stands in a list. A draft may say no day: it counts as of the day on which it was made. */
export const positionOf = (
  { _id, createdAt, issueDate }: ListPosition & { readonly issueDate?: string | null },
  period: ListPeriod | undefined,
): ListPosition => ({
  ...{ _id, createdAt },
  ...(period && { day: issueDate ?? businessDate(createdAt, period.timezone) }),
});

/** Asks for what comes after this. */
export const listCursor = ({ day, createdAt, _id }: ListPosition): string =>
  Buffer.from(JSON.stringify([day ?? null, createdAt.getTime(), _id])).toString('base64url');

/** Throws `validation` at `/cursor` for a text that is no cursor of a list of this kind. */
export function readListCursor(cursor: string, hasPeriod: boolean): ListPosition {
  try {
    const [day, time, _id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isDay = hasPeriod ? typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) : day === null;
    if (isDay && typeof time === 'number' && Math.abs(time) <= 8.64e15 && typeof _id === 'string')
      return { ...(hasPeriod && { day: day as string }), createdAt: new Date(time), _id };
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw validationError([{ path: '/cursor', message: 'is not a cursor of this list' }]);
}

/** When a day begins in a zone. */
export const startOfDay = (day: string, timezone: string): Date =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds);
