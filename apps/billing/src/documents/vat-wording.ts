import { type FrozenInvoice, type VatTreatment } from '../domain/invoice';
import { vatRateBps } from '../domain/totals';
import { formatRate, type Language } from './formats';
import { WORDING } from './wording';

// The exemptions of Dutch law stand in this article; an organisation that knows better sets its own provision.
const DUTCH_EXEMPTIONS: Record<Language, string> = {
  nl: 'artikel 11, lid 1, Wet op de omzetbelasting 1968',
  en: 'Article 11(1), Dutch Turnover Tax Act 1968',
};

/** What the VAT column of a line says. An exempt line never says "0%". */
export function vatLabel(treatment: VatTreatment, language: Language): string {
  const words = WORDING[language];
  if (treatment === 'exempt') return words.exemptShort;
  if (treatment === 'reverse_charge') return words.reverseChargeShort;
  if (treatment === 'intra_community') return words.intraCommunityShort;
  return formatRate(vatRateBps[treatment], language);
}

export const exemptionProvision = (invoice: FrozenInvoice): string =>
  invoice.vatExemptionReason || DUTCH_EXEMPTIONS[invoice.language];

/** The sentences that the law wants for the treatments on this invoice, in the order of its groups. */
export function vatNotes(invoice: FrozenInvoice, language: Language = invoice.language): string[] {
  const words = WORDING[language];
  const bothIds =
    invoice.seller.btwId && invoice.buyer.btwId ? words.bothVatIds(invoice.seller.btwId, invoice.buyer.btwId) : '';
  const withIds = (sentence: string): string => (bothIds ? `${sentence}. ${bothIds}.` : `${sentence}.`);
  return invoice.totals.groups.flatMap(({ vatTreatment }) => {
    if (vatTreatment === 'exempt') return [`${words.exempt} – ${exemptionProvision({ ...invoice, language })}.`];
    if (vatTreatment === 'reverse_charge') return [withIds(words.reverseCharge)];
    if (vatTreatment === 'intra_community') return [withIds(words.intraCommunity)];
    return [];
  });
}
