import { formatDate, formatMoney, formatQuantity, formatRate, type Language } from '@invoicing/design';
import { type Line, type VatGroup } from '../sessions/session';
import { texts } from './texts';

/** "21 november 2026, 14:03", as it was in Amsterdam. */
export function dateTime(at: Date, language: Language): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'Europe/Amsterdam',
  }).format(at);
  const [day = '', time = ''] = parts.split(' ');
  return `${formatDate(day, language)}, ${time}`;
}

/** "2 × € 50,00 · −10% korting", or nothing when it would only say once what the line costs. */
export function quantityText(line: Line, language: Language): string {
  const { discountBps = 0 } = line;
  if (line.quantity === '1' && discountBps === 0) return '';
  const number = `${formatQuantity(line.quantity, language)}${line.unit ? ` ${line.unit}` : ''}`;
  const priced = `${number} × ${formatMoney(line.unitPriceCents, language)}`;
  return discountBps > 0 ? `${priced} · −${formatRate(discountBps, language)} ${texts[language].discount}` : priced;
}

export function vatLabel({ vatTreatment, rateBps, baseCents }: VatGroup, language: Language): string {
  const t = texts[language];
  if (vatTreatment.endsWith('_EXEMPT')) return t.vatExempt;
  if (vatTreatment.endsWith('_REVERSE_CHARGE')) return t.vatReverse;
  if (vatTreatment.endsWith('_INTRA_COMMUNITY')) return t.vatIntra;
  if (rateBps === 0) return `${t.vat} ${formatRate(0, language)}`;
  return `${t.vat} ${formatRate(rateBps, language)} ${t.over} ${formatMoney(baseCents, language)}`;
}

export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');
