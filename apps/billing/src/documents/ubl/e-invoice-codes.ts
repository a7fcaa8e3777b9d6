import type { Party, VatTreatment } from '../../invoices/invoice';

/** EN 16931 codes of a treatment: VAT category (UNCL5305) and, where the list has one, the reason (VATEX). */
export const VAT_CATEGORY: Readonly<Record<VatTreatment, { readonly code: string; readonly vatex?: string }>> = {
  standard_21: { code: 'S' },
  reduced_9: { code: 'S' },
  zero: { code: 'Z' },
  exempt: { code: 'E' },
  reverse_charge: { code: 'AE', vatex: 'VATEX-EU-AE' },
  intra_community: { code: 'K', vatex: 'VATEX-EU-IC' },
};

// UN/ECE Recommendation 20, for the units that people write.
const UNITS: readonly (readonly [code: string, words: string])[] = [
  ['HUR', 'uur uren hour hours hr hrs h u'],
  ['MIN', 'minuut minuten minute minutes min'],
  ['DAY', 'dag dagen day days'],
  ['WEE', 'week weken weeks'],
  ['MON', 'maand maanden month months mnd'],
  ['ANN', 'jaar jaren year years'],
  ['H87', 'stuk stuks piece pieces st pcs pc'],
  ['KMT', 'km kilometer kilometers'],
  ['KGM', 'kg kilo kilogram'],
  ['GRM', 'g gram'],
  ['LTR', 'l liter litre litres'],
  ['MTR', 'm meter metre metres'],
  ['MTK', 'm2 m²'],
  ['MTQ', 'm3 m³'],
];
const CODE_OF_UNIT = new Map(UNITS.flatMap(([code, words]) => words.split(' ').map((word) => [word, code] as const)));

/** `C62` ("one") for a unit that the list does not know. */
export const unitCode = (unit: string): string =>
  CODE_OF_UNIT.get(unit.trim().toLowerCase().replace(/\.$/, '')) ?? 'C62';

// Peppol's electronic address schemes (EAS) that are a country's VAT number.
const VAT_SCHEMES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'AD9922 AL9923 AT9914 BA9924 BE9925 BG9926 CH9927 CY9928 CZ9929 DE9930 DK0184 EE9931 ES9920 FI0213 FR9957 GB9932 EL9933 HR9934 HU9910 ' +
    'IE9935 IT0211 LI9936 LT9937 LU9938 LV9939 MC9940 ME9941 MK9942 MT9943 NL9944 PL9945 PT9946 RO9947 RS9948 SI9949 SK9950 SM9951 TR9952 XI9932'
  )
    .split(' ')
    .map((each) => [each.slice(0, 2), each.slice(2)]),
);

export interface SchemedId {
  readonly id: string;
  /** EAS or ICD code; absent where a country has no scheme of ours. */
  readonly scheme?: string;
}

/** The VAT id as the e-invoice writes it: Greece is `EL`, Northern Ireland `XI`; empty when unknown. */
export const vatIdOf = ({ btwId }: Party): string =>
  btwId
    .replace(/[\s.-]/g, '')
    .toUpperCase()
    .replace(/^GR/, 'EL');

/** KvK number (0106) or OIN (0190) of a Dutch party, the bare register number of another. */
export function legalIdOf({ kvkNumber, countryCode }: Party): SchemedId | undefined {
  const id = kvkNumber.replace(/[\s.-]/g, '');
  if (!id) return undefined;
  if (countryCode !== 'NL') return { id };
  if (/^\d{8}$/.test(id)) return { id, scheme: '0106' };
  return /^\d{20}$/.test(id) ? { id, scheme: '0190' } : { id };
}

/** Where the network finds a party: by its Dutch register number, else by its VAT id. */
export function endpointOf(party: Party): Required<SchemedId> | undefined {
  const legal = legalIdOf(party);
  if (legal?.scheme) return { id: legal.id, scheme: legal.scheme };
  const vatId = vatIdOf(party);
  const country = vatId.slice(0, 2);
  // A Swedish VAT id is the register number with SE before and 01 behind it.
  const swedish = /^SE(\d{10})\d{2}$/.exec(vatId);
  if (swedish) return { id: swedish[1]!, scheme: '0007' };
  const scheme = VAT_SCHEMES[country];
  return scheme ? { id: vatId, scheme } : undefined;
}
