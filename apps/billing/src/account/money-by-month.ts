import type { Entry } from './entry';
import { TRANSFER } from './entry';
import { effectiveEntries } from './open-amount';

/** What is read of an entry to add up the money of a month. */
export type MoneyEntry = Pick<Entry, '_id' | 'type' | 'amountCents' | 'date'> & {
  readonly of?: string | null;
  readonly provider?: string;
};

export interface MonthOfMoney {
  /** YYYY-MM. */
  readonly month: string;
  readonly inCents: number;
  readonly outCents: number;
}

/** The first days of the last months, oldest first; the last is the month of `today` (YYYY-MM-DD). */
export function lastMonths(today: string, count: number): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: count }, (_, index) => {
    const at = year * 12 + (month - 1) - (count - 1 - index);
    return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
}

/**
 * What came in and went out, month by month. What was taken back counts nowhere; what moved from one invoice to another never left.
 */
export function moneyByMonth(months: readonly string[], entries: readonly MoneyEntry[]): MonthOfMoney[] {
  const sums = new Map(months.map((month) => [month, { month, inCents: 0, outCents: 0 }]));
  for (const { type, date, amountCents, provider } of effectiveEntries(entries)) {
    const sum = sums.get(date.slice(0, 7));
    if (!sum || provider === TRANSFER) continue;
    if (type === 'payment') sum.inCents += amountCents;
    if (type === 'refund' || type === 'chargeback') sum.outCents += amountCents;
  }
  return [...sums.values()];
}
