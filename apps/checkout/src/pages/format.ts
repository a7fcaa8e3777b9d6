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

/** "2 × € 50,00 · −10% korting", or nothing when it would only say once what the line costs. */
export function quantityText(line: Line, currency: string, language: Language): string {
  const { discountBps = 0 } = line;
  if (line.quantity === '1' && discountBps === 0) return '';
  const decimal = (text: string): string => (language === 'nl' ? text.replace('.', ',') : text);
  const number = `${decimal(line.quantity)}${line.unit ? ` ${line.unit}` : ''}`;
  const priced = `${number} × ${money(line.unitPriceCents, currency, language)}`;
  return discountBps > 0 ? `${priced} · −${decimal(String(discountBps / 100))}% ${texts[language].discount}` : priced;
}

/** "1–30 november 2026" for two days of YYYY-MM-DD. */
export const dayRange = ({ from, to }: { readonly from: string; readonly to: string }, language: Language): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
    new Date(`${from}T00:00:00Z`),
    new Date(`${to}T00:00:00Z`),
  );

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
