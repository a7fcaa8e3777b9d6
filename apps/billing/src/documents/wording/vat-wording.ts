import { type FrozenInvoice, type VatTreatment } from '../../invoices/invoice';
import { DEFAULT_VAT_EXEMPTION_REASON } from '../../organizations/organization';
import { vatRateBps } from '../../invoices/totals';
import { formatRate, type Language } from './formats';
import { WORDING } from './wording';

const DEFAULT_PROVISION: Record<Language, string> = {
  nl: DEFAULT_VAT_EXEMPTION_REASON,
  en: 'Article 11, Dutch Turnover Tax Act 1968',
  de: 'Artikel 11 des niederländischen Umsatzsteuergesetzes 1968',
  fr: 'article 11 de la loi néerlandaise de 1968 sur la TVA',
};

/** What the VAT column of a line says. An exempt line never says "0%". */
export function vatLabel(treatment: VatTreatment, language: Language): string {
  const words = WORDING[language];
  if (treatment === 'exempt') return words.exemptShort;
  if (treatment === 'reverse_charge') return words.reverseChargeShort;
  if (treatment === 'intra_community') return words.intraCommunityShort;
  return formatRate(vatRateBps[treatment], language);
}

/** The provision that exempt lines name; the default one in the reader's language. */
export function exemptionProvision({ vatExemptionReason }: FrozenInvoice, language: Language): string {
  const isDefault = !vatExemptionReason || vatExemptionReason === DEFAULT_VAT_EXEMPTION_REASON;
  return isDefault ? DEFAULT_PROVISION[language] : vatExemptionReason;
}

/** The sentences that the law wants for the treatments on this invoice, in the order of its groups. */
export function vatNotes(invoice: FrozenInvoice, language: Language = invoice.language): string[] {
  const words = WORDING[language];
  const bothIds =
    invoice.seller.btwId && invoice.buyer.btwId ? words.bothVatIds(invoice.seller.btwId, invoice.buyer.btwId) : '';
  const withIds = (sentence: string): string => (bothIds ? `${sentence}. ${bothIds}.` : `${sentence}.`);
  return invoice.totals.groups.flatMap(({ vatTreatment }) => {
    if (vatTreatment === 'exempt') return [`${words.exempt} – ${exemptionProvision(invoice, language)}.`];
    if (vatTreatment === 'reverse_charge') return [withIds(words.reverseCharge)];
    if (vatTreatment === 'intra_community') return [withIds(words.intraCommunity)];
    return [];
  });
}
