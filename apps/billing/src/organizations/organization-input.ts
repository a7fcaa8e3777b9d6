import { allValid, everyValid, faultless, valid, type Checked } from '@invoicing/errors';
import {
  compactIban,
  compactVatId,
  isBic,
  isCountryCode,
  isEmailAddress,
  isIban,
  isTimeZone,
  isVatId,
  PARTY_LIMITS,
  storedRegisterNumber,
  textMessage,
} from '@invoicing/rules';
import { numberFormatFault } from '../numbering/number-format';
import { dateFault } from '../invoices/business-date';
import type { IssuePolicy, Limits, OrganizationDetails } from './organization';

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

type Fault = string | undefined;

/** Rules of the fields that are more than text. An empty value clears a field. */
const rules: Partial<Record<keyof OrganizationDetails, (value: string) => Fault>> = {
  name: (value) => (value === '' ? 'is required' : undefined),
  countryCode: (value) => (isCountryCode(value) ? undefined : 'must be an ISO 3166-1 alpha-2 code'),
  btwId: (value) =>
    value === '' || isVatId(value) ? undefined : 'must be a VAT identification number such as NL001234567B01',
  iban: (value) => (value === '' || isIban(value) ? undefined : 'must be a valid IBAN'),
  bic: (value) => (value === '' || isBic(value) ? undefined : 'must be a valid BIC'),
  email: (value) => (value === '' || isEmailAddress(value) ? undefined : 'must be an e-mail address'),
  phone: (value) => (/^\+?[\d\s().-]*$/.test(value) ? undefined : 'must be a telephone number such as +31 20 123 4567'),
  timezone: (value) => (isTimeZone(value) ? undefined : 'must be an IANA time zone such as Europe/Amsterdam'),
};

const limits: Partial<Record<keyof OrganizationDetails, number>> = {
  ...PARTY_LIMITS,
  vatExemptionReason: MAX_LONG_TEXT,
};

/** What of the details is given, in its stored form. */
export function readDetails(
  given: Partial<Record<keyof OrganizationDetails, string | undefined>>,
): Checked<Partial<OrganizationDetails>> {
  const entries = Object.entries(given) as [keyof OrganizationDetails, string | undefined][];
  const checks = entries.flatMap(([field, raw]) => {
    if (raw === undefined) return [];
    const value = storedForm(field, raw.trim(), given.countryCode);
    const fault = textMessage(value, { max: limits[field] ?? MAX_TEXT }) ?? rules[field]?.(value);
    return [[field, faultless(value, `/${field}`, fault)] as const];
  });
  return allValid<Partial<OrganizationDetails>>(Object.fromEntries(checks));
}

const MAX_WINDOW_DAYS = 3_660;

/** What is given of a policy of issue dates. A period can be closed only once it is over. */
export function checkIssuePolicy(
  given: { readonly [K in keyof IssuePolicy]?: IssuePolicy[K] | undefined },
  today: string,
): Checked<Partial<IssuePolicy>> {
  const { closedUntil } = given;
  const notOver = closedUntil && closedUntil >= today ? `must be before today, ${today}` : undefined;
  const checked = everyValid([
    faultless(null, '/closedUntil', closedUntil ? (dateFault(closedUntil) ?? notOver) : undefined),
    faultless(null, '/daysBack', windowFault(given.daysBack)),
    faultless(null, '/daysAhead', windowFault(given.daysAhead)),
  ]);
  if (checked.violations) return checked;
  return valid(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}

const MAX_LIMITS: Limits = { mailQuotaPerDay: 1_000_000, catchUpPeriods: 1_000 };

/** What is given of an organisation's limits. */
export function checkLimits(given: { readonly [K in keyof Limits]?: number | undefined }): Checked<Partial<Limits>> {
  const entries = Object.entries(given) as [keyof Limits, number | undefined][];
  const checks = entries.flatMap(([field, value]) => {
    if (value === undefined) return [];
    const isWithin = Number.isInteger(value) && value >= 0 && value <= MAX_LIMITS[field];
    const fault = isWithin ? undefined : `must be a whole number from 0 to ${MAX_LIMITS[field]}`;
    return [[field, faultless(value, `/${field}`, fault)] as const];
  });
  return allValid<Partial<Limits>>(Object.fromEntries(checks));
}

const windowFault = (days: number | undefined): Fault =>
  days === undefined || (Number.isInteger(days) && days >= 0 && days <= MAX_WINDOW_DAYS)
    ? undefined
    : `must be a whole number from 0 to ${MAX_WINDOW_DAYS}`;

/** A profile, if its input fits. */
export function checkProfile(input: ProfileInput): Checked<ProfileInput> {
  const { name, numberFormat, accentColor, footer, logo } = input;
  const isColor = accentColor === undefined || /^#[0-9a-f]{6}$/i.test(accentColor);
  const faults: [path: string, Fault][] = [
    ['/name', name.trim() === '' ? 'is required' : textMessage(name, { max: MAX_TEXT })],
    ['/numberFormat', numberFormat === undefined ? undefined : numberFormatFault(numberFormat)],
    ['/style/accentColor', isColor ? undefined : 'must be a colour as #rrggbb'],
    ['/style/footer', footer === undefined ? undefined : textMessage(footer, { max: MAX_LONG_TEXT })],
    ['/style/logo', logo === undefined ? undefined : logoFault(logo)],
  ];
  const checked = everyValid(faults.map(([path, fault]) => faultless(null, path, fault)));
  return checked.violations ? checked : valid(input);
}

function storedForm(field: keyof OrganizationDetails, value: string, countryCode: string | undefined): string {
  switch (field) {
    case 'iban':
      return compactIban(value);
    case 'btwId':
      return compactVatId(value);
    case 'kvkNumber':
      return storedRegisterNumber(value, countryCode?.toUpperCase());
    case 'bic':
    case 'countryCode':
      return value.toUpperCase();
    default:
      return value;
  }
}

function logoFault(logo: Uint8Array): Fault {
  if (logo.length > MAX_LOGO_BYTES) return `must be at most ${MAX_LOGO_BYTES} bytes`;
  const starts = (...bytes: number[]): boolean => bytes.every((byte, index) => logo[index] === byte);
  return starts(0x89, 0x50, 0x4e, 0x47) || starts(0xff, 0xd8, 0xff) ? undefined : 'must be a PNG or JPEG image';
}
