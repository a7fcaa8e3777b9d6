/** An amount as people type it, in cents: `1.234,56`, `1234.5`, `€ 12`. Undefined: it is none, or has more than two decimals. */
export function typedCents(text: string): number | undefined {
  const number = typedDecimal(text.replace(/[€\s\u00a0\u202f]/g, ''));
  if (number === undefined) return undefined;
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(number) ?? [];
  if (decimals.length > 2) return undefined;
  const cents = Number(`${whole || '0'}${decimals.padEnd(2, '0')}`);
  return Number.isSafeInteger(cents) ? (sign === '-' ? -cents : cents) : undefined;
}

/**
 * A number as people type it, as a decimal text with a point. Where both a point and a comma stand, the last one is the decimal sign; a
 * sign that stands before exactly three digits, or more than once, groups thousands.
 */
export function typedDecimal(text: string): string | undefined {
  const clean = text.replace(/[\s\u00a0\u202f]/g, '');
  if (!/^-?[\d.,]+$/.test(clean) || !/\d/.test(clean)) return undefined;
  const last = Math.max(clean.lastIndexOf('.'), clean.lastIndexOf(','));
  if (last === -1) return clean;
  const sign = clean[last]!;
  const both = clean.includes('.') && clean.includes(',');
  const isGroup = !both && (clean.indexOf(sign) !== last || /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(clean));
  const groups = (part: string): string => part.replace(/[.,]/g, '');
  return isGroup ? groups(clean) : `${groups(clean.slice(0, last)) || '0'}.${clean.slice(last + 1)}`;
}

/** Cents as they stand in a field: `1234,56`. */
export const centsField = (cents: number, language: 'nl' | 'en'): string =>
  (cents / 100).toFixed(2).replace('.', language === 'nl' ? ',' : '.');
