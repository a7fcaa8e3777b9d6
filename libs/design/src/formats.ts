import type { Language } from './languages';

const MONTHS: Record<Language, readonly string[]> = {
  nl: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
};
const NARROW_SPACE = '\u202f';
const MARKS: Record<Language, { group: string; decimal: string }> = {
  nl: { group: '.', decimal: ',' },
  en: { group: ',', decimal: '.' },
  de: { group: '.', decimal: ',' },
  fr: { group: NARROW_SPACE, decimal: ',' },
};

const grouped = (digits: string, language: Language): string =>
  digits.replace(/\B(?=(\d{3})+$)/g, MARKS[language].group);

// Written by hand, not with Intl: a newer ICU must not change the bytes of an issued document.

/** "€ 1.234,56", "€1,234.56", "1.234,56 €" or "1 234,56 €"; a real minus sign before a negative amount. */
export function formatMoney(cents: number, language: Language): string {
  const sign = cents < 0 ? '−' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const amount = `${sign}${grouped(digits.slice(0, -2), language)}${MARKS[language].decimal}${digits.slice(-2)}`;
  if (language === 'nl') return `€\u00a0${amount}`;
  return language === 'en' ? amount.replace(/^−?/, '$&€') : `${amount}\u00a0€`;
}

/** "1.000,5" for the decimal text 1000.5. */
export function formatQuantity(quantity: string, language: Language): string {
  const [, sign, whole = '0', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(quantity) ?? [];
  const trimmed = fraction?.replace(/0+$/, '');
  return `${sign ? '−' : ''}${grouped(whole, language)}${trimmed ? MARKS[language].decimal + trimmed : ''}`;
}

/** "21 november 2026", "21. November 2026" or "1er août 2026" for YYYY-MM-DD. */
export function formatDate(date: string, language: Language): string {
  const [year, month, day] = date.split('-').map(Number);
  const mark = language === 'de' ? '.' : language === 'fr' && day === 1 ? 'er' : '';
  return `${day}${mark} ${MONTHS[language][month! - 1]} ${year}`;
}

/** "1 – 31 oktober 2026"; what both days share is said once. */
export function formatPeriod(from: string, to: string, language: Language): string {
  const last = formatDate(to, language);
  if (from === to) return last;
  const first = formatDate(from, language);
  const [firstDay = '', ...firstRest] = first.split(' ');
  const rest = last.split(' ').slice(1);
  if (firstRest.join(' ') === rest.join(' ')) return `${firstDay} – ${last}`;
  return `${firstRest.at(-1) === rest.at(-1) ? `${firstDay} ${firstRest[0]}` : first} – ${last}`;
}

/** "9%" or "9,5%" for basis points; with a space where the language writes one. */
export const formatRate = (rateBps: number, language: Language): string =>
  `${formatQuantity(String(rateBps / 100), language)}${language === 'nl' || language === 'en' ? '' : '\u00a0'}%`;

/** IBAN in groups of four. */
export const formatIban = (iban: string): string => iban.replace(/\s/g, '').replace(/.{4}(?=.)/g, '$&\u00a0');
