import { type Line, type VatGroup } from '../sessions/session';
import { texts, type Language } from './texts';

const LOCALES: Record<Language, string> = { nl: 'nl-NL', en: 'en-IE' };

/** Cents as people read them: € 1.210,00. */
export const money = (cents: number, currency: string, language: Language): string =>
  new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency }).format(cents / 100);

export const dateTime = (at: Date, language: Language): string =>
  new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/Amsterdam',
  }).format(at);

/** "2 × € 50,00", or nothing when it would only say once what the line costs. */
export function quantityText(line: Line, currency: string, language: Language): string {
  if (line.quantity === '1') return '';
  const number = language === 'nl' ? line.quantity.replace('.', ',') : line.quantity;
  return `${number}${line.unit ? ` ${line.unit}` : ''} × ${money(line.unitPriceCents, currency, language)}`;
}

export function vatLabel({ vatTreatment, rateBps, baseCents }: VatGroup, currency: string, language: Language): string {
  const t = texts[language];
  if (vatTreatment.endsWith('_EXEMPT')) return t.vatExempt;
  if (vatTreatment.endsWith('_REVERSE_CHARGE')) return t.vatReverse;
  if (vatTreatment.endsWith('_INTRA_COMMUNITY')) return t.vatIntra;
  if (rateBps === 0) return t.vatZero;
  return `${t.vat} ${rateBps / 100}% ${t.over} ${money(baseCents, currency, language)}`;
}

export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');
