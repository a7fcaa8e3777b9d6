import type { Language } from './texts';

const LOCALES: Record<Language, string> = { nl: 'nl-NL', en: 'en-IE' };

/** Making a formatter costs fifty times what using it does, and a list uses one for each of its cells. */
const kept = <K extends string, F>(make: (...parts: K[]) => F): ((...parts: K[]) => F) => {
  const made = new Map<string, F>();
  return (...parts) => {
    const key = parts.join('\n');
    const found = made.get(key) ?? make(...parts);
    made.set(key, found);
    return found;
  };
};

const moneyFormat = kept(
  (locale: string, currency: string) => new Intl.NumberFormat(locale, { style: 'currency', currency }),
);
const dayFormat = kept((locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
const momentFormat = kept(
  (locale: string, timeZone: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
);
const monthFormats = {
  short: kept((language: Language) => new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })),
  long: kept(
    (language: Language) => new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  ),
};
const percentFormat = kept((locale: string) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
const isoFormat = kept((timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }));

/** Cents as people read them: € 1.210,00. */
export const money = (cents: number, currency: string, language: Language): string =>
  moneyFormat(LOCALES[language], currency).format(cents / 100);

/** `2026-11-22` as people read it. */
export const day = (date: string, language: Language): string =>
  date === '' ? '' : dayFormat(LOCALES[language]).format(new Date(`${date}T00:00:00Z`));

/** A moment, in the organisation's zone. */
export const moment = (at: Date | undefined, language: Language, timeZone = 'Europe/Amsterdam'): string =>
  at ? momentFormat(LOCALES[language], timeZone).format(at) : '';

/** `2026-11` as people read it: short without its year, long with it. */
export const monthName = (month: string, style: 'short' | 'long', language: Language): string =>
  monthFormats[style](language).format(new Date(`${month}-01T00:00:00Z`));

/** 2100 is 21%. */
export const percent = (bps: number, language: Language): string =>
  `${percentFormat(LOCALES[language]).format(bps / 100)}%`;

/** The date in a zone, as ISO. */
export const dateIn = (timeZone: string, at = new Date()): string => isoFormat(timeZone).format(at);
