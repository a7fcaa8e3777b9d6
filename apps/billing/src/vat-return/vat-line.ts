import { type Warning } from '@invoicing/errors';
import { isBusiness, isInEuropeanUnion } from '@invoicing/rules';
import type { VatTreatment } from '../invoices/invoice';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { treatmentWarnings } from '../invoices/treatment-warnings';
import { isExport } from '../invoices/vat-treatment';

/** Boxes (rubrieken) of the Dutch return that are about what is sold, in the order of the form. */
export const BOXES = ['1a', '1b', '1c', '1d', '1e', '2a', '3a', '3b', '3c'] as const;
/** A box; exempt turnover stands in none (the tax office's explanation of box 1e names only the 0 % rate and what is reverse charged). */
export type Box = (typeof BOXES)[number] | 'exempt';

/** The VAT of one document at one treatment, below 0 where a credit note gives back. Amounts in cents. */
export interface VatLine {
  readonly document: Pick<IssuedInvoice, '_id' | 'number' | 'kind' | 'issueDate' | 'customerId' | 'buyer'>;
  readonly vatTreatment: VatTreatment;
  readonly rateBps: number;
  readonly baseCents: number;
  readonly vatCents: number;
  readonly box: Box;
  /** What went to a business in another member state: it belongs in the recapitulative statement. */
  readonly supply?: 'goods' | 'services';
  /** A private person in another member state bought it. */
  readonly oss: boolean;
  readonly warnings: readonly Warning[];
}

type Sold = Pick<IssuedInvoice, 'seller' | 'buyer'>;

/** What a document adds to the figures of the period that it was issued in. */
export function vatLines(document: IssuedInvoice): VatLine[] {
  const sign = document.kind === 'credit_note' ? -1 : 1;
  const warnings = treatmentWarnings(document);
  return document.totals.groups.map(({ vatTreatment, rateBps, baseCents, vatCents }) => {
    const supply = supplyOf(vatTreatment, document);
    return {
      document,
      vatTreatment,
      rateBps,
      // Zero stays zero, without a sign.
      baseCents: sign * baseCents + 0,
      vatCents: sign * vatCents + 0,
      box: boxOf(vatTreatment, document),
      ...(supply && { supply }),
      oss: vatCents !== 0 && isAbroadInUnion(document) && !isBusiness(document.buyer),
      warnings,
    };
  });
}

/**
 * Where a treatment belongs: the treatment says what was supplied, as the document does. `intra_community` is goods (article 138), reverse
 * charge across a border services (article 196), zero to outside the Union an export of goods (article 146).
 */
function boxOf(vatTreatment: VatTreatment, document: Sold): Box {
  switch (vatTreatment) {
    case 'standard_21':
      return '1a';
    case 'reduced_9':
      return '1b';
    case 'exempt':
      return 'exempt';
    case 'zero':
      return isExport(document) ? '3a' : '1e';
    case 'intra_community':
      return '3b';
    case 'reverse_charge':
      return isAbroadInUnion(document) ? '3b' : '1e';
  }
}

const supplyOf = (vatTreatment: VatTreatment, document: Sold): 'goods' | 'services' | undefined =>
  boxOf(vatTreatment, document) !== '3b' ? undefined : vatTreatment === 'intra_community' ? 'goods' : 'services';

const isAbroadInUnion = ({ seller, buyer }: Sold): boolean =>
  buyer.countryCode !== '' && buyer.countryCode !== seller.countryCode && isInEuropeanUnion(buyer.countryCode);
