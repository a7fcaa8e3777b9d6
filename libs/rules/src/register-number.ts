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
 * What to tell whoever gave a register number that is kept all the same: in the Netherlands (or without a country) one without 8
 * digits is no KvK number. `field` is a JSON Pointer to it in the request.
 */
export function registerNumberWarnings(
  party: { readonly kvkNumber?: string | undefined; readonly countryCode?: string | undefined },
  field = '/kvkNumber',
) {
  const country = party.countryCode?.trim().toUpperCase();
  const stored = storedRegisterNumber(party.kvkNumber ?? '', country);
  if (stored === '' || !isDutch(country) || isKvkNumber(stored)) return [];
  return [{ code: 'not_a_kvk_number', message: 'is kept, but a KvK number has 8 digits', field }];
}
