/** What documents, mails and pages can be written in (ISO 639-1). */
export const LANGUAGES = ['nl', 'en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const SPOKEN: readonly (readonly [Language, readonly string[]])[] = [
  ['nl', ['', 'NL', 'BE', 'SR', 'CW', 'AW', 'SX', 'BQ']],
  ['de', ['DE', 'AT', 'LI', 'CH']],
  ['fr', ['FR', 'LU', 'MC']],
];

export const isLanguage = (text: unknown): text is Language => (LANGUAGES as readonly unknown[]).includes(text);

/** What is spoken in a country (ISO 3166-1 alpha-2); a customer without country reads Dutch, one from elsewhere English. */
export const languageOfCountry = (countryCode: string): Language =>
  SPOKEN.find(([, countries]) => countries.includes(countryCode))?.[0] ?? 'en';
