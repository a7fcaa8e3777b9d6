import { checkVAT, countries } from 'jsvat';

/** A VAT identification number in its one stored form: upper case, without spaces, dots and dashes. */
export const compactVatId = (text: string): string => text.replace(/[\s.-]/g, '').toUpperCase();

/**
 * Whether a text in its stored form has the form of a VAT identification number: the country's own form where it is known, else a
 * prefix and 2–15 letters or digits. Check digits are not judged (sole traders in NL carry numbers that fail the old formula);
 * whether a number exists only VIES knows.
 */
export function isVatId(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9+*]{2,15}$/.test(text)) return false;
  const { isSupportedCountry, isValidFormat } = checkVAT(text, countries);
  return !isSupportedCountry || Boolean(isValidFormat);
}
