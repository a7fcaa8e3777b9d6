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

/** One place of a rendered number: a literal character or any digit; `repeats` when more of the same may follow. */
interface Place {
  readonly literal: string | undefined;
  readonly repeats: boolean;
}

const digits = (count: number): Place[] =>
  Array.from({ length: count }, () => ({ literal: undefined, repeats: false }));

function placesOf(format: string): Place[] {
  return format.split(/(\{[^}]*\})/).flatMap((part) => {
    if (part === '{YYYY}') return digits(4);
    if (part === '{YY}') return digits(2);
    if (!part.startsWith('{')) return [...part].map((literal) => ({ literal, repeats: false }));
    const least = Number(/\d/.exec(part)?.[0] ?? 1);
    return [...digits(least - 1), { literal: undefined, repeats: true }];
  });
}

const fits = (a: Place, b: Place): boolean =>
  a.literal === undefined || b.literal === undefined
    ? [a.literal, b.literal].every((each) => each === undefined || /\d/.test(each))
    : a.literal === b.literal;

/** Whether some number of one format could read like some number of the other, whatever year and place. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [placesOf(one), placesOf(other)];
  const seen = new Set<string>();
  const reach = (i: number, j: number): boolean => {
    if (i === a.length && j === b.length) return true;
    const [left, right] = [a[i], b[j]];
    const key = `${i}/${j}`;
    if (!left || !right || seen.has(key) || !fits(left, right)) return false;
    seen.add(key);
    return reach(i + 1, j + 1) || (left.repeats && reach(i, j + 1)) || (right.repeats && reach(i + 1, j));
  };
  return reach(0, 0);
}

/** Whether two profiles with these formats could print the same number, on invoices or (by their prefix) on credit notes. */
export const formatsCollide = (one: string, other: string): boolean =>
  overlap(one, other) ||
  overlap(formatOfKind(one, 'credit_note'), other) ||
  overlap(one, formatOfKind(other, 'credit_note'));

const ofYear = (format: string, year: number): string =>
  format.replace('{YYYY}', String(year)).replace('{YY}', String(year).slice(2));

/** Two years from `first` to `last` in which differing formats could print the same number; undefined when there are none. */
export function collidingYears(
  formatOf: (year: number) => string,
  first: number,
  last: number,
): readonly [number, number] | undefined {
  for (let later = first + 1; later <= last; later++) {
    for (let earlier = first; earlier < later; earlier++) {
      const [one, other] = [formatOf(earlier), formatOf(later)];
      if (one !== other && formatsCollide(ofYear(one, earlier), ofYear(other, later))) return [earlier, later];
    }
  }
  return undefined;
}

/** A format for one more profile that collides with none of those there are: the default one for the first. */
export function freeNumberFormat(taken: readonly string[]): string {
  const candidate = (at: number): string => (at === 0 ? DEFAULT_NUMBER_FORMAT : `P${at + 1}-${DEFAULT_NUMBER_FORMAT}`);
  let at = taken.length;
  while (taken.some((each) => formatsCollide(each, candidate(at)))) at++;
  return candidate(at);
}
