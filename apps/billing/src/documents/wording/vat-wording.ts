import { type FrozenInvoice, type VatTreatment } from '../../invoices/invoice';
import { DEFAULT_VAT_EXEMPTION_REASON } from '../../organizations/organization';
import { vatRateBps } from '../../invoices/totals';
import { isExport } from '../../invoices/vat-treatment';
import { formatRate, type Language } from '@invoicing/design';
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
function exemptionProvision({ vatExemptionReason }: FrozenInvoice, language: Language): string {
  const isDefault = !vatExemptionReason || vatExemptionReason === DEFAULT_VAT_EXEMPTION_REASON;
  return isDefault ? DEFAULT_PROVISION[language] : vatExemptionReason;
}

/** Why a treatment of this document asks for no VAT, as the e-invoice says it (BT-120); empty where it asks for some. */
export function treatmentReason(treatment: VatTreatment, invoice: FrozenInvoice, language: Language): string {
  const words = WORDING[language];
  if (treatment === 'exempt') return `${words.exempt} – ${exemptionProvision(invoice, language)}`;
  if (treatment === 'reverse_charge') return words.reverseCharge;
  if (treatment === 'intra_community') return words.intraCommunity;
  return treatment === 'zero' && isExport(invoice) ? words.exportGoods : '';
}

/** The sentences that the law wants for the treatments on this invoice, in the order of its groups. */
export function vatNotes(invoice: FrozenInvoice, language: Language = invoice.language): string[] {
  const { seller, buyer } = invoice;
  const bothIds = seller.btwId && buyer.btwId ? ` ${WORDING[language].bothVatIds(seller.btwId, buyer.btwId)}.` : '';
  return invoice.totals.groups.flatMap(({ vatTreatment }) => {
    const reason = treatmentReason(vatTreatment, invoice, language);
    if (!reason) return [];
    const namesBoth = vatTreatment === 'reverse_charge' || vatTreatment === 'intra_community';
    return [`${reason}.${namesBoth ? bothIds : ''}`];
  });
}
