import type { FrozenInvoice, VatTreatment } from '../../invoices/invoice';
import { isExport, isOutOfScope } from '../../invoices/vat-treatment';

/** UNCL5305 and, where the list has one, the reason (VATEX). */
export interface VatCategory {
  readonly code: 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O';
  readonly vatex?: string;
}

const CATEGORY: Readonly<Record<VatTreatment, VatCategory>> = {
  standard_21: { code: 'S' },
  reduced_9: { code: 'S' },
  zero: { code: 'Z' },
  exempt: { code: 'E' },
  reverse_charge: { code: 'AE', vatex: 'VATEX-EU-AE' },
  intra_community: { code: 'K', vatex: 'VATEX-EU-IC' },
};

type Taxed = Pick<FrozenInvoice, 'seller' | 'buyer' | 'totals'>;

/**
 * The category of a treatment on this document. `zero` to a buyer outside the European Union is an export (article 146 of Directive
 * 2006/112/EC); `exempt` by a seller without VAT id is outside the scope of VAT, which only a document without any VAT can say (BR-O-11).
 */
export function vatCategoryOf(treatment: VatTreatment, invoice: Taxed): VatCategory {
  if (treatment === 'zero' && isExport(invoice)) return { code: 'G', vatex: 'VATEX-EU-G' };
  if (isOutOfScope(invoice)) return { code: 'O', vatex: 'VATEX-EU-O' };
  return CATEGORY[treatment];
}
