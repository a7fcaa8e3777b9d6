import { checkVAT, countries } from 'jsvat';

/**
 * Whether a compact, upper-case text has the form of a VAT identification number: the country's own form where it is known, else
 * a prefix and 2–15 letters or digits. Check digits are not judged: sole traders in NL carry numbers that fail the old formula.
 */
export function isVatId(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9+*]{2,15}$/.test(text)) return false;
  const { isSupportedCountry, isValidFormat } = checkVAT(text, countries);
  return !isSupportedCountry || Boolean(isValidFormat);
}
