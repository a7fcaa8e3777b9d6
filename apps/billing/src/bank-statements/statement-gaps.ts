import type { StatementHead } from './bank-line';

/** Between two statements of an account something is missing. */
export interface StatementGap {
  readonly account: string;
  /** YYYY-MM-DD: the last day of the statement before. */
  readonly after: string;
  /** YYYY-MM-DD: the first day of the statement after. */
  readonly before: string;
  /** The balance that follows from the statement before. */
  readonly expectedCents: number;
  /** The balance that the statement after begins with. */
  readonly foundCents: number;
}

/** How many statements that cover the same days are looked back at. */
const LOOK_BACK = 12;

/**
 * Where the balance that a statement begins with follows from none before it: neither is it the balance that one ended with, nor is it what
 * one began with and what has been booked since (so statements may overlap). Of one account; `dailySums`: of all its lines.
 */
export function gapsOf(statements: readonly StatementHead[], dailySums: ReadonlyMap<string, number>): StatementGap[] {
  const ordered = statements
    .filter(({ openingCents, closingCents }) => openingCents !== undefined && closingCents !== undefined)
    .sort((a, b) => (a.from === b.from ? (a.to < b.to ? -1 : 1) : a.from < b.from ? -1 : 1));
  const days = [...dailySums].sort(([a], [b]) => (a < b ? -1 : 1));
  const bookedBetween = (from: string, before: string): number =>
    days.reduce((sum, [day, cents]) => (day >= from && day < before ? sum + cents : sum), 0);
  return ordered.flatMap((each, index): StatementGap[] => {
    const earlier = ordered.slice(Math.max(0, index - LOOK_BACK), index);
    const last = earlier.at(-1);
    if (!last) return [];
    const sameDays = [...earlier, ...ordered.slice(index + 1, index + LOOK_BACK)].filter(
      ({ from }) => from === each.from,
    );
    const follows =
      [...earlier, ...sameDays].some(({ closingCents }) => closingCents === each.openingCents) ||
      earlier.some(({ openingCents, from }) => openingCents! + bookedBetween(from, each.from) === each.openingCents);
    if (follows) return [];
    const { account, from: before, openingCents } = each;
    return [{ account, after: last.to, before, expectedCents: last.closingCents!, foundCents: openingCents! }];
  });
}

/** Opening balance and lines make the closing balance; undefined where there are no balances. */
export const fits = ({ openingCents, closingCents, sumCents }: StatementHead): boolean | undefined =>
  openingCents === undefined || closingCents === undefined ? undefined : openingCents + sumCents === closingCents;
