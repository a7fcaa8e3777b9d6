import type { Language } from './texts';

const LOCALES: Record<Language, string> = { nl: 'nl-NL', en: 'en-IE' };

/** Cents as people read them: € 1.210,00. */
export const money = (cents: number, currency: string, language: Language): string =>
  new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency }).format(cents / 100);

/** `2026-11-22` as people read it. */
export const day = (date: string, language: Language): string =>
  date === ''
    ? ''
    : new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeZone: 'UTC' }).format(
        new Date(`${date}T00:00:00Z`),
      );

/** A moment, in the organisation's zone. */
export const moment = (at: Date | undefined, language: Language, timeZone = 'Europe/Amsterdam'): string =>
  at
    ? new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)
    : '';

/** 2100 is 21%. */
export const percent = (bps: number, language: Language): string =>
  `${new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 2 }).format(bps / 100)}%`;
