import type { Violation } from '@invoicing/errors';
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
import type { IssuePolicy, OrganizationDetails } from './organization';

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
  timezone: (value) => (isTimeZone(value) ? undefined : 'must be an IANA time zone such as Europe/Amsterdam'),
};

const limits: Partial<Record<keyof OrganizationDetails, number>> = {
  ...PARTY_LIMITS,
  vatExemptionReason: MAX_LONG_TEXT,
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
      const value = storedForm(field, raw.trim(), given.countryCode);
      const message = textMessage(value, { max: limits[field] ?? MAX_TEXT }) ?? rules[field]?.(value);
      if (message) violations.push({ path: `/${field}`, message });
      return [[field, value]];
    }),
  );
}

const MAX_WINDOW_DAYS = 3_660;

/** Faults of a policy of issue dates. A period can be closed only once it is over. */
export function checkIssuePolicy(
  { closedUntil, daysBack, daysAhead }: { [K in keyof IssuePolicy]?: IssuePolicy[K] | undefined },
  today: string,
  violations: Violation[],
): void {
  if (closedUntil) {
    const fault = dateFault(closedUntil) ?? (closedUntil < today ? undefined : `must be before today, ${today}`);
    if (fault) violations.push({ path: '/closedUntil', message: fault });
  }
  for (const [path, days] of [
    ['/daysBack', daysBack],
    ['/daysAhead', daysAhead],
  ] as const) {
    if (days !== undefined && !(Number.isInteger(days) && days >= 0 && days <= MAX_WINDOW_DAYS)) {
      violations.push({ path, message: `must be a whole number from 0 to ${MAX_WINDOW_DAYS}` });
    }
  }
}

/** Faults of a profile. */
export function checkProfile(input: ProfileInput, violations: Violation[]): void {
  const fault = (path: string, message: Fault): void => {
    if (message) violations.push({ path, message });
  };
  fault('/name', input.name.trim() === '' ? 'is required' : textMessage(input.name, { max: MAX_TEXT }));
  if (input.numberFormat !== undefined) fault('/numberFormat', numberFormatFault(input.numberFormat));
  if (input.accentColor !== undefined && !/^#[0-9a-f]{6}$/i.test(input.accentColor)) {
    fault('/style/accentColor', 'must be a colour as #rrggbb');
  }
  if (input.footer !== undefined) fault('/style/footer', textMessage(input.footer, { max: MAX_LONG_TEXT }));
  if (input.logo !== undefined) fault('/style/logo', logoFault(input.logo));
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
