import { isEnterpriseNumber, isLuhn, isNorwegianOrganization } from './check-digits';

/** What names a party: a country (ISO 3166-1, may be empty), its number in a trade register and its VAT id, each empty when unknown. */
export interface Named {
  readonly countryCode: string;
  readonly kvkNumber: string;
  readonly btwId: string;
}

/** An id and the list that it is of. */
export interface SchemedId {
  readonly id: string;
  /** EAS or ICD code; absent where a country has no scheme of ours. */
  readonly scheme?: string;
}

// Peppol's electronic address schemes (EAS) that are a country's VAT number.
const VAT_SCHEMES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'AD9922 AL9923 AT9914 BA9924 BE9925 BG9926 CH9927 CY9928 CZ9929 DE9930 EE9931 ES9920 FR9957 GB9932 EL9933 HR9934 HU9910 ' +
    'IE9935 LI9936 LT9937 LU9938 LV9939 MC9940 ME9941 MK9942 MT9943 PL9945 PT9946 RO9947 RS9948 SI9949 SK9950 SM9951 TR9952 XI9932'
  )
    .split(' ')
    .map((each) => [each.slice(0, 2), each.slice(2)]),
);

/**
 * Schemes of a country's own, by the form of the register number or VAT id; first what fits. An id with a wrong check digit is none
 * of the scheme (PEPPOL-COMMON-R041 to R056): the network refuses it.
 */
const NATIONAL: Readonly<Record<string, (register: string, vatId: string) => SchemedId | undefined>> = {
  NL: (register, vatId) =>
    whole(register, /^\d{8}$/, '0106') ??
    whole(register, /^\d{20}$/, '0190') ??
    whole(vatId, /^NL\d{9}B\d{2}$/, '9944'),
  BE: (register, vatId) => enterprise(register) ?? enterprise(vatId),
  // 0037 and the business id (Y-tunnus): the OVT code; the VAT number's own scheme, 0213, left the list.
  FI: (register, vatId) => {
    const [, digits] = /^(?:FI)?(\d{8})$/.exec(register) ?? /^FI(\d{8})$/.exec(vatId) ?? [];
    return digits ? { id: `0037${digits}`, scheme: '0216' } : undefined;
  },
  // A Swedish VAT id is the register number with SE before and 01 behind it.
  SE: (register, vatId) => {
    const id = /^(?:SE)?(\d{10})(?:\d\d)?$/.exec(register)?.[1] ?? /^SE(\d{10})\d\d$/.exec(vatId)?.[1];
    return id && isLuhn(id) ? { id, scheme: '0007' } : undefined;
  },
  DK: (register, vatId) => whole(register, /^(?:DK)?\d{8}$/, '0184') ?? whole(vatId, /^DK\d{8}$/, '0184'),
  NO: (register, vatId) => {
    const id = /\d{9}/.exec(register)?.[0] ?? /\d{9}/.exec(vatId)?.[0];
    return id && isNorwegianOrganization(id) ? { id, scheme: '0192' } : undefined;
  },
  IT: (_register, vatId) =>
    /^IT\d{11}$/.test(vatId) && isLuhn(vatId.slice(2)) ? { id: vatId, scheme: '0211' } : undefined,
};

/** The VAT id as the e-invoice writes it: Greece is `EL`, Northern Ireland `XI`; empty when unknown. */
export const vatIdOf = ({ btwId }: Pick<Named, 'btwId'>): string =>
  btwId
    .replace(/[\s.-]/g, '')
    .toUpperCase()
    .replace(/^GR/, 'EL');

// Schemes that name a legal person; the others name somebody as a taxpayer or an address only.
const LEGAL_SCHEMES = new Set(['0106', '0190', '0208', '0007', '0184', '0192']);

/** Register number with its scheme (ICD) where it has one, e.g. a KvK number (0106), an OIN (0190), a Belgian enterprise number (0208). */
export function legalIdOf(party: Pick<Named, 'kvkNumber' | 'countryCode'>): SchemedId | undefined {
  const id = compact(party.kvkNumber);
  if (!id) return undefined;
  const national = NATIONAL[party.countryCode]?.(id, '');
  return national?.scheme && LEGAL_SCHEMES.has(national.scheme) ? national : { id };
}

/** Where the network finds a party: by its register number where its country does so, else by its VAT id. */
export function endpointOf(party: Named): Required<SchemedId> | undefined {
  const vatId = vatIdOf(party);
  const country = party.countryCode || vatId.slice(0, 2);
  const national = NATIONAL[country]?.(compact(party.kvkNumber), vatId);
  if (national?.scheme) return { id: national.id, scheme: national.scheme };
  const scheme = VAT_SCHEMES[vatId.slice(0, 2)];
  return scheme ? { id: vatId, scheme } : undefined;
}

const compact = (text: string): string => text.replace(/[\s.-]/g, '').toUpperCase();

const whole = (id: string, form: RegExp, scheme: string): SchemedId | undefined =>
  form.test(id) ? { id, scheme } : undefined;

function enterprise(text: string): SchemedId | undefined {
  const id = text.replace(/^BE/, '').padStart(10, '0');
  return isEnterpriseNumber(id) ? { id, scheme: '0208' } : undefined;
}

/** A participant of the network as it is written: `0208:0123456749`. */
export const participantOf = ({ scheme, id }: Required<SchemedId>): string => `${scheme}:${id}`;

/** Whether a text has the form of a participant: four digits (ICD or EAS), a colon, an id. */
export const isParticipant = (text: string): boolean => /^\d{4}:[A-Za-z0-9._~-]{1,50}$/.test(text);

/** Whether a party is a business, as far as its ids say. */
export const isBusiness = ({ btwId, kvkNumber }: Pick<Named, 'btwId' | 'kvkNumber'>): boolean =>
  btwId !== '' || kvkNumber !== '';

/**
 * Whether the law wants an invoice to go over Peppol: between Belgian businesses, since 2026-01-01 (the Belgian law of 6 February 2024 on
 * electronic invoices between taxable persons).
 */
export const isPeppolRequired = (seller: Named, buyer: Named): boolean =>
  [seller, buyer].every((party) => (party.countryCode || party.btwId.slice(0, 2)) === 'BE' && isBusiness(party));
