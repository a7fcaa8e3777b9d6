import type { FrozenInvoice } from '../../invoices/invoice';

/** Which rules beyond EN 16931 an e-invoice follows. */
export type Specification = 'peppol' | 'nlcius' | 'xrechnung' | 'en16931';

/** BT-24. */
export const SPECIFICATION_ID: Readonly<Record<Specification, string>> = {
  peppol: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
  nlcius: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  en16931: 'urn:cen.eu:en16931:2017',
};

/**
 * Peppol BIS Billing 3, which every receiver on the network takes; where the organisation wishes the countries' own, NLCIUS between
 * Dutch parties and XRechnung to German buyers.
 */
export function specificationOf({ eInvoiceRules, seller, buyer }: FrozenInvoice): Specification {
  if (eInvoiceRules !== 'national') return 'peppol';
  if (seller.countryCode === 'NL' && buyer.countryCode === 'NL') return 'nlcius';
  return buyer.countryCode === 'DE' ? 'xrechnung' : 'peppol';
}

/** Whether German rules count: XRechnung's, which Peppol BIS 3 asks of two German parties, too (DE-R-001 and on). */
export const isGerman = ({ seller, buyer }: FrozenInvoice, specification: Specification): boolean =>
  specification === 'xrechnung' || (seller.countryCode === 'DE' && buyer.countryCode === 'DE');
