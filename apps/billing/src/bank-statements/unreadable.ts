import { validationError, type AppError } from '@invoicing/errors';

/** Why a file cannot be taken in. */
export const unreadable = (message: string): AppError => validationError([{ path: '/file', message }]);

/** Far above any sum, far below where a sum of many could be inexact. */
const MAX_CENTS = 9_000_000_000_000;

/** Cents of an amount as text, at most two decimals that say something; sign allowed. Throws `validation`. */
export function centsOf(text: string, decimal: ',' | '.', where: string): number {
  const thousands = decimal === ',' ? '.' : ',';
  const plain = text.trim().replaceAll(thousands, '').replace(decimal, '.');
  const [, sign = '', whole = '', decimals = ''] = /^([+-]?)(\d{1,15})(?:\.(\d*))?$/.exec(plain) ?? [];
  if (whole === '' || /[1-9]/.test(decimals.slice(2))) throw unreadable(`${where}: "${text}" is not an amount`);
  const cents = Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'));
  if (cents > MAX_CENTS) throw unreadable(`${where}: "${text}" is too large`);
  return sign === '-' && cents !== 0 ? -cents : cents;
}

/** YYYY-MM-DD; throws `validation` unless the day exists. */
export function dateOf(year: string, month: string, day: string, where: string): string {
  const date = `${year}-${month}-${day}`;
  const time = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== date || year < '1990' || year > '2100')
    throw unreadable(`${where}: "${date}" is not a day`);
  return date;
}

/** A text of a statement as it is kept: on one line, bounded, without what cannot be printed. */
export const plainText = (text: string | undefined, max = 1_000): string =>
  [...(text ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\uFFFE\uFFFF\s]+/gu, ' ').trim()].slice(0, max).join('');
