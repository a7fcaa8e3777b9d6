/** How numbers of a profile look: literal text, a year (`{YYYY}` or `{YY}`) and one `{SEQ}` or `{SEQ:n}` (n digits at least). */
export const DEFAULT_NUMBER_FORMAT = '{YYYY}-{SEQ:4}';

const SEQ = /\{SEQ(?::([1-9]))?\}/g;
const YEAR = /\{YYYY\}|\{YY\}/g;
const LITERAL = /^[A-Za-z0-9 ./_-]*$/;
const MAX_LENGTH = 40;

/** Why a format cannot be used, or undefined. Without a year the numbers of two years would be the same. */
export function numberFormatFault(format: string): string | undefined {
  if (format.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  if ((format.match(SEQ) ?? []).length !== 1) return 'must have {SEQ} or {SEQ:n} exactly once';
  if ((format.match(YEAR) ?? []).length !== 1) return 'must have {YYYY} or {YY} exactly once';
  if (!LITERAL.test(format.replace(SEQ, '').replace(YEAR, ''))) {
    return 'may otherwise have only letters, digits, spaces and . / _ -';
  }
  if (format !== format.trim()) return 'must not begin or end with a space';
  return undefined;
}

export const formatNumber = (format: string, year: string, seq: number): string =>
  format
    .replace('{YYYY}', year)
    .replace('{YY}', year.slice(2))
    .replace(SEQ, (_, digits: string | undefined) => String(seq).padStart(Number(digits ?? 1), '0'));

export type SeriesKind = 'invoice' | 'credit_note';

/** Name of the series that a document is numbered in. */
export const seriesName = (profileId: string, kind: SeriesKind, year: string): string => `${profileId}/${kind}/${year}`;

/** Credit notes have a series of their own, told apart by a prefix. */
export const formatOfKind = (format: string, kind: SeriesKind): string =>
  kind === 'credit_note' ? `C-${format}` : format;

/** What stands for the number of a draft. */
export const draftNumber = (id: string): string => `CONCEPT-${id.slice(0, 8).toUpperCase()}`;
