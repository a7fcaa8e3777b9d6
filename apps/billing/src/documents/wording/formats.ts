import { type FrozenInvoice } from '../../invoices/invoice';

export type Language = FrozenInvoice['language'];

const MONTHS: Record<Language, readonly string[]> = {
  nl: 'januari februari maart april mei juni juli augustus september oktober november december'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
};
const MARKS: Record<Language, { group: string; decimal: string }> = {
  nl: { group: '.', decimal: ',' },
  en: { group: ',', decimal: '.' },
};

const grouped = (digits: string, language: Language): string =>
  digits.replace(/\B(?=(\d{3})+$)/g, MARKS[language].group);

// Written by hand, not with Intl: a newer ICU must not change the bytes of an issued document.

/** "€ 1.234,56" or "€1,234.56"; a real minus sign before a negative amount. */
export function formatMoney(cents: number, language: Language): string {
  const sign = cents < 0 ? '−' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const amount = `${grouped(digits.slice(0, -2), language)}${MARKS[language].decimal}${digits.slice(-2)}`;
  return language === 'nl' ? `€\u00a0${sign}${amount}` : `${sign}€${amount}`;
}

/** "1.000,5" for the decimal text 1000.5. */
export function formatQuantity(quantity: string, language: Language): string {
  const [, sign, whole = '0', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(quantity) ?? [];
  const trimmed = fraction?.replace(/0+$/, '');
  return `${sign ? '−' : ''}${grouped(whole, language)}${trimmed ? MARKS[language].decimal + trimmed : ''}`;
}

/** "21 november 2026" for 2026-11-21. */
export function formatDate(date: string, language: Language): string {
  const [year, month, day] = date.split('-');
  return `${Number(day)} ${MONTHS[language][Number(month) - 1]} ${year}`;
}

/** "9%" or "9,5%" for basis points. */
export const formatRate = (rateBps: number, language: Language): string =>
  `${formatQuantity(String(rateBps / 100), language)}%`;

/** IBAN in groups of four. */
export const formatIban = (iban: string): string => iban.replace(/\s/g, '').replace(/.{4}(?=.)/g, '$&\u00a0');
