import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import * as jsvat from 'jsvat';
import type { Violation } from '@invoicing/errors';
import { numberFormatFault } from '../numbering/number-format';
import type { OrganizationDetails } from './organization';
import { textFault } from './text';

/** House style as an operator gives it. */
export interface ProfileInput {
  readonly name: string;
  readonly numberFormat?: string | undefined;
  readonly accentColor?: string | undefined;
  readonly footer?: string | undefined;
  readonly logo?: Uint8Array | undefined;
}

const MAX_TEXT = 200;
const MAX_LONG_TEXT = 500;
const MAX_LOGO_BYTES = 256 * 1024;
const EMAIL = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\]+$/;
const vatCountries = jsvat.countries as jsvat.Country[];
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

type Fault = string | undefined;

/** Rules of the fields that are more than text. An empty value clears a field. */
const rules: Partial<Record<keyof OrganizationDetails, (value: string) => Fault>> = {
  name: (value) => (value === '' ? 'is required' : undefined),
  countryCode: (value) =>
    /^[A-Z]{2}$/.test(value) && regions.of(value) ? undefined : 'must be an ISO 3166-1 country of two letters',
  kvkNumber: (value) => (/^(\d{8})?$/.test(value) ? undefined : 'must have 8 digits'),
  btwId: vatIdFault,
  iban: (value) => (value === '' || isValidIBAN(value) ? undefined : 'must be a valid IBAN'),
  bic: (value) => (value === '' || isValidBIC(value) ? undefined : 'must be a valid BIC'),
  email: (value) => (value === '' || EMAIL.test(value) ? undefined : 'must be an e-mail address'),
  timezone: (value) => (isTimezone(value) ? undefined : 'must be an IANA time zone such as Europe/Amsterdam'),
};

/** What of the details is given, in its stored form; every fault goes to `violations`. */
export function readDetails(
  given: Partial<Record<keyof OrganizationDetails, string | undefined>>,
  violations: Violation[],
): Partial<OrganizationDetails> {
  const entries = Object.entries(given) as [keyof OrganizationDetails, string | undefined][];
  return Object.fromEntries(
    entries.flatMap(([field, raw]) => {
      if (raw === undefined) return [];
      const value = normalise(field, raw);
      const max = field === 'vatExemptionReason' ? MAX_LONG_TEXT : MAX_TEXT;
      const message = textFault(value, { max }) ?? rules[field]?.(value);
      if (message) violations.push({ path: `/${field}`, message });
      return [[field, value]];
    }),
  );
}

/** Faults of a profile. */
export function checkProfile(input: ProfileInput, violations: Violation[]): void {
  const fault = (path: string, message: Fault): void => {
    if (message) violations.push({ path, message });
  };
  fault('/name', input.name.trim() === '' ? 'is required' : textFault(input.name, { max: MAX_TEXT }));
  if (input.numberFormat !== undefined) fault('/numberFormat', numberFormatFault(input.numberFormat));
  if (input.accentColor !== undefined && !/^#[0-9a-f]{6}$/i.test(input.accentColor)) {
    fault('/style/accentColor', 'must be a colour as #rrggbb');
  }
  if (input.footer !== undefined) fault('/style/footer', textFault(input.footer, { max: MAX_LONG_TEXT }));
  if (input.logo !== undefined) fault('/style/logo', logoFault(input.logo));
}

function normalise(field: keyof OrganizationDetails, raw: string): string {
  const value = raw.trim();
  if (field === 'iban') return electronicFormatIBAN(value) ?? '';
  if (field === 'btwId' || field === 'kvkNumber') return value.replace(/[\s.-]/g, '').toUpperCase();
  return field === 'bic' || field === 'countryCode' ? value.toUpperCase() : value;
}

// The form only: the check digits of sole traders' ids changed in 2020, and whether an id exists only VIES knows.
function vatIdFault(value: string): Fault {
  if (value === '') return undefined;
  const { isSupportedCountry, isValidFormat } = jsvat.checkVAT(value, vatCountries);
  const fits = isSupportedCountry ? isValidFormat : /^[A-Z]{2}[A-Z0-9]{2,18}$/.test(value);
  return fits ? undefined : 'must be a VAT identification number such as NL001234567B01';
}

function isTimezone(value: string): boolean {
  if (value !== 'UTC' && !/^[A-Za-z]+\/[A-Za-z0-9_+/-]+$/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) !== undefined;
  } catch {
    // The only way to ask for old names too, which supportedValuesOf leaves out.
    return false;
  }
}

function logoFault(logo: Uint8Array): Fault {
  if (logo.length > MAX_LOGO_BYTES) return `must be at most ${MAX_LOGO_BYTES} bytes`;
  const starts = (...bytes: number[]): boolean => bytes.every((byte, index) => logo[index] === byte);
  return starts(0x89, 0x50, 0x4e, 0x47) || starts(0xff, 0xd8, 0xff) ? undefined : 'must be a PNG or JPEG image';
}
