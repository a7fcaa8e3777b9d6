import { Temporal } from 'temporal-polyfill';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIRST_YEAR = 2000;
const LAST_YEAR = 2100;
export const PAYMENT_DAYS = 14;

/** YYYY-MM-DD of an instant in an IANA zone: 2026-03-31T22:30Z is 1 April in Amsterdam. */
export const businessDate = (instant: Date, timezone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timezone).toPlainDate().toString();

/** Why a text is not a date of an invoice, or undefined. */
export function dateFault(text: string): string | undefined {
  if (!DATE.test(text)) return 'must be a date as YYYY-MM-DD';
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > last) return 'does not exist in the calendar';
  if (year < FIRST_YEAR || year > LAST_YEAR) return `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`;
  return undefined;
}

export const addDays = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString();
