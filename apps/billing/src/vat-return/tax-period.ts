import { validationError } from '@invoicing/errors';
import { addDays, dateFault } from '../invoices/business-date';

/** Days as YYYY-MM-DD, both included. */
interface Days {
  readonly from: string;
  readonly to: string;
}

const PERIOD = /^(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/;
const MONTHS_OF_QUARTER = 3;
const MONTHS_OF_YEAR = 12;

/** The days of a year, a quarter or a month: 2026, 2026-Q3, 2026-07. Throws `validation`. */
export function taxPeriod(text: string): Days {
  const [, year, quarter, month] = PERIOD.exec(text) ?? [];
  const first = month ? Number(month) : quarter ? (Number(quarter) - 1) * MONTHS_OF_QUARTER + 1 : 1;
  const count = month ? 1 : quarter ? MONTHS_OF_QUARTER : MONTHS_OF_YEAR;
  const from = `${year}-${String(first).padStart(2, '0')}-01`;
  if (year === undefined || dateFault(from))
    throw validationError([
      { path: '/period', message: 'must be a year, a quarter or a month: 2026, 2026-Q3, 2026-07' },
    ]);
  const lastMonth = `${year}-${String(first + count - 1).padStart(2, '0')}`;
  return { from, to: lastDayOf(lastMonth) };
}

const lastDayOf = (month: string): string => addDays(`${addDays(`${month}-01`, 31).slice(0, 7)}-01`, -1);
