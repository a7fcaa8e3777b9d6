/** Whether a text is a KvK number (ICD 0106) in its stored form: eight digits. */
export const isKvkNumber = (text: string): boolean => /^\d{8}$/.test(text);

/** Whether a text is an OIN, the number of a Dutch public body (ICD 0190), in its stored form: twenty digits. */
export const isOin = (text: string): boolean => /^\d{20}$/.test(text);

const isDutch = (countryCode: string | undefined): boolean => (countryCode || 'NL') === 'NL';

/**
 * A number in a trade register in its one stored form: in the Netherlands (or without a country) the bare digits of a KvK number or
 * OIN, else as it was written. It is never refused for its form: every register has its own.
 */
export function storedRegisterNumber(text: string, countryCode: string | undefined): string {
  const digits = text.replace(/[\s.-]/g, '');
  return isDutch(countryCode) && (isKvkNumber(digits) || isOin(digits)) ? digits : text.trim();
}

/**
 * What to tell a caller about a stored register number that is kept all the same, or undefined: in the Netherlands (or without a
 * country) one without 8 digits is no KvK number, and an e-invoice cannot name the party by it.
 */
export const registerNumberWarning = (stored: string, countryCode: string | undefined): string | undefined =>
  !isDutch(countryCode) || isKvkNumber(stored) ? undefined : 'is not a KvK number: in NL it has 8 digits';
