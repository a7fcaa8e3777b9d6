const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIRST_YEAR = 2000;
const LAST_YEAR = 2100;
export const PAYMENT_DAYS = 14;
const DAY_MS = 86_400_000;
const DATE_LENGTH = 10;

/** YYYY-MM-DD of an instant in an IANA zone: 2026-03-31T22:30Z is 1 April in Amsterdam. Throws a RangeError for what is no zone. */
export const businessDate = (instant: Date, timezone: string): string => formatIn(timezone).format(instant);

// Made once a zone, of which there are some six hundred: making one takes far longer than using it. Swedish dates are ISO 8601.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format;
}

/** Why a text is not a date of an invoice, or undefined. */
export function dateFault(text: string): string | undefined {
  if (!DATE.test(text)) return 'must be a date as YYYY-MM-DD';
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > last) return 'does not exist in the calendar';
  if (year < FIRST_YEAR || year > LAST_YEAR) return `must be in the years ${FIRST_YEAR} to ${LAST_YEAR}`;
  return undefined;
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, DATE_LENGTH);
