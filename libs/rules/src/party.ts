import { isCountryCode } from './country-code';
import { isEmailAddress, MAX_EMAIL_ADDRESS } from './email-address';
import { storedRegisterNumber } from './register-number';
import { textFault, type TextFault } from './text';
import { compactVatId, isVatId } from './vat-id';

/** Most characters of each field of a party: a customer, a payer, the prefill of a payer's form. */
export const PARTY_LIMITS = {
  name: 200,
  email: MAX_EMAIL_ADDRESS,
  companyName: 200,
  addressLine1: 200,
  postalCode: 20,
  city: 100,
  countryCode: 2,
  btwId: 30,
  kvkNumber: 30,
  externalId: 200,
} as const;

/** Name of a field of a party; the REST bodies have the same names. */
export type PartyField = keyof typeof PARTY_LIMITS;

/** What is known of a party; a field that is absent is unknown. */
export type PartyDetails = { readonly [field in PartyField]?: string | undefined };

/** Why a field does not fit. */
export type PartyFault = TextFault | 'email' | 'country' | 'btw_id';

/** A party in its stored form; or what is wrong with it. */
export type ReadParty =
  { readonly party: PartyDetails } | { readonly faults: Readonly<Partial<Record<PartyField, PartyFault>>> };

/**
 * Reads a party: blank fields are absent (forms send empty strings for what was not filled in), identifiers take their stored form.
 * Which fields are required is the caller's to say.
 */
export function readParty(given: PartyDetails): ReadParty {
  const faults: Partial<Record<PartyField, PartyFault>> = {};
  const party: { [field in PartyField]?: string } = {};
  for (const field of Object.keys(PARTY_LIMITS) as PartyField[]) {
    const value = given[field];
    if (value === undefined || value.trim() === '') continue;
    const stored = storedForm(field, value, given.countryCode);
    const fault = textFault(stored, { max: PARTY_LIMITS[field] }) ?? formFault(field, stored);
    if (fault) faults[field] = fault;
    else party[field] = stored;
  }
  return Object.keys(faults).length > 0 ? { faults } : { party };
}

function storedForm(field: PartyField, value: string, countryCode: string | undefined): string {
  switch (field) {
    case 'email':
      return value.trim();
    case 'countryCode':
      return storedCountryCode(value);
    case 'btwId':
      return compactVatId(value);
    case 'kvkNumber':
      return storedRegisterNumber(value, countryCode && storedCountryCode(countryCode));
    default:
      return value;
  }
}

const storedCountryCode = (text: string): string => text.trim().toUpperCase();

function formFault(field: PartyField, value: string): PartyFault | undefined {
  if (field === 'email' && !isEmailAddress(value)) return 'email';
  if (field === 'countryCode' && !isCountryCode(value)) return 'country';
  if (field === 'btwId' && !isVatId(value)) return 'btw_id';
  return undefined;
}

/** What is wrong with a party as sentences for a caller: JSON Pointers below `pointer` into a body with the same field names. */
export const partyViolations = (
  faults: Readonly<Partial<Record<PartyField, PartyFault>>>,
  pointer = '',
): { readonly path: string; readonly message: string }[] =>
  (Object.entries(faults) as [PartyField, PartyFault][]).map(([field, fault]) => ({
    path: `${pointer}/${field}`,
    message: messageOf(field, fault),
  }));

function messageOf(field: PartyField, fault: PartyFault): string {
  switch (fault) {
    case 'too_long':
      return `must be at most ${PARTY_LIMITS[field]} characters`;
    case 'unprintable':
      return 'must not contain control characters';
    case 'email':
      return 'must be an e-mail address';
    case 'country':
      return 'must be an ISO 3166-1 alpha-2 code';
    case 'btw_id':
      return 'must be a VAT identification number such as NL001234567B01';
  }
}
