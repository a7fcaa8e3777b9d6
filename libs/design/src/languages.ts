/** What documents, mails and payers' pages are written in (ISO 639-1). */
export const LANGUAGES = ['nl', 'en', 'de', 'fr'] as const;
/** One of them. */
export type Language = (typeof LANGUAGES)[number];

const SPOKEN: readonly (readonly [Language, readonly string[]])[] = [
  ['nl', ['', 'NL', 'BE', 'SR', 'CW', 'AW', 'SX', 'BQ']],
  ['de', ['DE', 'AT', 'LI', 'CH']],
  ['fr', ['FR', 'LU', 'MC']],
];

/** Whether something that was sent is one of them. */
export const isLanguage = (text: unknown): text is Language => (LANGUAGES as readonly unknown[]).includes(text);

/** What is spoken in a country (ISO 3166-1 alpha-2); a customer without country reads Dutch, one from elsewhere English. */
export const languageOfCountry = (countryCode: string): Language =>
  SPOKEN.find(([, countries]) => countries.includes(countryCode))?.[0] ?? 'en';

/** Each in itself: how a language is offered to who reads it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  nl: 'Nederlands',
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
};

/** The one that a browser likes best (RFC 9110, Accept-Language); English where it likes none of ours, undefined where it says nothing. */
export function preferredLanguage(acceptLanguage: string | undefined): Language | undefined {
  const ranked = (acceptLanguage ?? '')
    .split(',')
    .map((part, index) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const given = parameters.find((each) => each.trim().startsWith('q='))?.trim();
      const quality = Number(given?.slice(2) ?? 1);
      return { language: tag.split('-')[0], quality: Number.isNaN(quality) ? 0 : quality, index };
    })
    .filter(({ language, quality }) => isLanguage(language) && quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index);
  const best = ranked[0]?.language as Language | undefined;
  return best ?? (/[a-z]/i.test(acceptLanguage ?? '') ? 'en' : undefined);
}
