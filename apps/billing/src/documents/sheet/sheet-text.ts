/**
 * A text as a sheet sets it: composed (NFC), with plain line ends, without controls, half surrogates and marks that turn the reading
 * direction of what follows. Joiners and variation selectors stay: scripts and pictographs need them. Every string of a view goes
 * through it; the e-invoice and the page keep the original.
 */
export const settable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    // eslint-disable-next-line no-misleading-character-class
    .replace(/[\p{Cs}\p{Co}\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff\u00ad\u{e0000}-\u{e007f}]|(?!\n)\p{Cc}/gu, '');

/** The value with every string in it settable. */
export function settableDeep<T>(value: T): T {
  if (typeof value === 'string') return settable(value) as T;
  if (Array.isArray(value)) return value.map(settableDeep) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, settableDeep(each)])) as T;
}
