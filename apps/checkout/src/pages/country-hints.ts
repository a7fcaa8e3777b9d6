import { type Language } from '@invoicing/design';

/** Made-up numbers in the form that a country's have. */
const VAT_IDS: Readonly<Record<string, string>> = {
  AT: 'ATU12345678',
  BE: 'BE0123456789',
  BG: 'BG123456789',
  CY: 'CY12345678L',
  CZ: 'CZ12345678',
  DE: 'DE123456789',
  DK: 'DK12345678',
  EE: 'EE123456789',
  ES: 'ESX1234567X',
  FI: 'FI12345678',
  FR: 'FRXX123456789',
  GR: 'EL123456789',
  HR: 'HR12345678901',
  HU: 'HU12345678',
  IE: 'IE1234567WA',
  IT: 'IT12345678901',
  LT: 'LT123456789',
  LU: 'LU12345678',
  LV: 'LV12345678901',
  MT: 'MT12345678',
  NL: 'NL001234567B01',
  PL: 'PL1234567890',
  PT: 'PT123456789',
  RO: 'RO1234567890',
  SE: 'SE123456789001',
  SI: 'SI12345678',
  SK: 'SK1234567890',
};
const POSTAL_CODES: Readonly<Record<string, string>> = {
  AT: '1010',
  BE: '1000',
  CH: '8001',
  DE: '10115',
  DK: '1050',
  ES: '28001',
  FR: '75001',
  GB: 'SW1A 1AA',
  IT: '00118',
  LU: 'L-1111',
  NL: '1234 AB',
  PL: '00-001',
};
/** What the number in the trade register is called where it is known by a name of its own. */
const REGISTER_NAMES: Readonly<Record<string, string>> = {
  BE: 'KBO/BCE',
  CH: 'UID/IDE',
  DE: 'Handelsregister',
  FR: 'SIREN/SIRET',
  GB: 'Companies House',
};
const WORDS: Readonly<Record<Language, { example: string; digits: string }>> = {
  nl: { example: 'Bijvoorbeeld', digits: '8 cijfers' },
  en: { example: 'For example', digits: '8 digits' },
  de: { example: 'Zum Beispiel', digits: '8 Ziffern' },
  fr: { example: 'Par exemple', digits: '8 chiffres' },
};

/** What is said under a field, by the country that was chosen; `other` where it is none of these. */
export type CountryHints = Readonly<Record<string, string>>;

const examples = (known: Readonly<Record<string, string>>, language: Language): CountryHints =>
  Object.fromEntries(Object.entries(known).map(([country, each]) => [country, `${WORDS[language].example} ${each}`]));

/** Of the fields whose form differs from country to country. */
export const countryHints = (
  language: Language,
): Readonly<Record<'postalCode' | 'btwId' | 'kvkNumber', CountryHints>> => ({
  postalCode: examples(POSTAL_CODES, language),
  btwId: examples(VAT_IDS, language),
  kvkNumber: { ...REGISTER_NAMES, NL: `KvK, ${WORDS[language].digits}` },
});
