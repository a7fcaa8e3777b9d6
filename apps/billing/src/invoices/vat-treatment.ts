import { isInEuropeanUnion } from '@invoicing/rules';
import type { FrozenInvoice } from './invoice';

/** Whether what is supplied at the zero rate leaves the European Union (article 146 of Directive 2006/112/EC): its buyer is outside. */
export const isExport = ({ buyer }: Pick<FrozenInvoice, 'buyer'>): boolean =>
  // Northern Ireland is inside for goods.
  buyer.countryCode !== '' && !isInEuropeanUnion(buyer.countryCode) && !buyer.btwId.startsWith('XI');

/** Whether a seller without VAT id asks for no VAT at all: a person or body that is no taxable person. */
export const isOutOfScope = ({ seller, totals }: Pick<FrozenInvoice, 'seller' | 'totals'>): boolean =>
  seller.btwId === '' &&
  totals.groups.length > 0 &&
  totals.groups.every(({ vatTreatment }) => vatTreatment === 'exempt');
