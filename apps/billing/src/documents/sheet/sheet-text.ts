/** Longest run of characters without a space that surely fits the narrowest column; a break is possible after each half of it. */
const MAX_WORD = 24;
const ZERO_WIDTH_SPACE = '\u200b';
/** Strings that are not set as they are. */
const NOT_SET = new Set(['svg', 'url', 'title', 'author']);

/**
 * A text as a sheet sets it: composed (NFC), with plain line ends, without controls, half surrogates and marks that turn the reading
 * direction of what follows; a word that no column holds may break. Joiners and variation selectors stay: scripts and pictographs
 * need them. The e-invoice and the page keep the original.
 */
export const settable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(
      /[\p{Cs}\p{Co}\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff\u00ad\u200b\u{e0000}-\u{e007f}]|(?!\n)\p{Cc}/gu,
      '',
    )
    .replace(/[^\s\u00a0/-]{25,}/gu, breakable);

/** Every string in a view, but for the few that are not set, settable. */
export function settableView<T>(value: T): T {
  if (typeof value === 'string') return settable(value) as T;
  if (Array.isArray(value)) return value.map(settableView) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, NOT_SET.has(key) ? each : settableView(each)]);
  return Object.fromEntries(entries) as T;
}

function breakable(word: string): string {
  const characters = [...word];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += MAX_WORD / 2)
    parts.push(characters.slice(at, at + MAX_WORD / 2).join(''));
  return parts.join(ZERO_WIDTH_SPACE);
}
