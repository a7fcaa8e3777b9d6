import type { Violation } from '@invoicing/errors';
import { asksForMoney, type FrozenInvoice, type Party, type VatTreatment } from '../../invoices/invoice';
import { endpointOf, legalIdOf, vatIdOf } from './e-invoice-codes';

/** A check: where, which rule of EN 16931 / Peppol BIS 3 / NLCIUS, what it wants, and whether it is broken. */
interface Rule {
  readonly path: string;
  readonly id: string;
  readonly wants: string;
  readonly isBroken: boolean;
}

/**
 * What of this document keeps it from being a valid e-invoice; empty when `renderUbl` makes one. Rules that the
 * rendering meets for every document (sums, codes, order of elements) are not asked here: the specs prove them.
 */
export function eInvoiceViolations(invoice: FrozenInvoice): Violation[] {
  return [...sellerRules(invoice), ...buyerRules(invoice), ...vatRules(invoice), ...documentRules(invoice)]
    .filter(({ isBroken }) => isBroken)
    .map(({ path, id, wants }) => ({ path, message: `${wants} (${id})` }));
}

// Two letters that are a country (or EL, XI), then what the country wants.
const VAT_ID = /^[A-Z]{2}[A-Z0-9+*]{2,18}$/;
const ADDRESS_FIELDS = ['addressLine1', 'city', 'postalCode'] as const;

const isBlank = (text: string): boolean => text.trim() === '';

const addressRules = (path: string, id: string, party: Party, applies: boolean): Rule[] =>
  ADDRESS_FIELDS.map((field) => ({
    path: `${path}/${field}`,
    id,
    wants: 'is required between Dutch parties',
    isBroken: applies && isBlank(party[field]),
  }));

const vatIdRule = (path: string, party: Party): Rule => ({
  path: `${path}/btwId`,
  id: 'BR-CO-09',
  wants: 'must begin with its country',
  isBroken: vatIdOf(party) !== '' && !VAT_ID.test(vatIdOf(party)),
});

function sellerRules({ seller }: FrozenInvoice): Rule[] {
  const isDutch = seller.countryCode === 'NL';
  return [
    { path: '/seller/name', id: 'BR-06', wants: 'is required', isBroken: isBlank(seller.name) },
    { path: '/seller/countryCode', id: 'BR-09', wants: 'is required', isBroken: isBlank(seller.countryCode) },
    {
      path: '/seller',
      id: 'PEPPOL-EN16931-R020',
      wants: 'needs an electronic address: a KvK number or a VAT id',
      isBroken: !endpointOf(seller),
    },
    {
      path: '/seller/kvkNumber',
      id: 'NL-R-003',
      wants: 'must be a KvK number (8 digits) or an OIN (20 digits)',
      isBroken: isDutch && !legalIdOf(seller)?.scheme,
    },
    vatIdRule('/seller', seller),
    ...addressRules('/seller', 'NL-R-002', seller, isDutch),
  ];
}

function buyerRules({ seller, buyer }: FrozenInvoice): Rule[] {
  const areDutch = seller.countryCode === 'NL' && buyer.countryCode === 'NL';
  const legal = legalIdOf(buyer);
  return [
    { path: '/buyer/name', id: 'BR-07', wants: 'is required', isBroken: isBlank(buyer.companyName || buyer.name) },
    { path: '/buyer/countryCode', id: 'BR-11', wants: 'is required', isBroken: isBlank(buyer.countryCode) },
    {
      path: '/buyer',
      id: 'PEPPOL-EN16931-R010',
      wants: 'needs an electronic address: a KvK number or a VAT id',
      isBroken: !endpointOf(buyer),
    },
    {
      path: '/buyer/kvkNumber',
      id: 'NL-R-005',
      wants: 'must be a KvK number (8 digits) or an OIN (20 digits)',
      isBroken: areDutch && legal !== undefined && !legal.scheme,
    },
    vatIdRule('/buyer', buyer),
    ...addressRules('/buyer', 'NL-R-004', buyer, areDutch),
  ];
}

const SELLER_VAT_RULE: Readonly<Record<VatTreatment, string>> = {
  standard_21: 'BR-S-02',
  reduced_9: 'BR-S-02',
  zero: 'BR-Z-02',
  exempt: 'BR-E-02',
  reverse_charge: 'BR-AE-02',
  intra_community: 'BR-IC-02',
};

function vatRules({ seller, buyer, totals }: FrozenInvoice): Rule[] {
  const has = (treatment: VatTreatment): boolean =>
    totals.groups.some(({ vatTreatment }) => vatTreatment === treatment);
  const ids = new Set(totals.groups.map(({ vatTreatment }) => SELLER_VAT_RULE[vatTreatment]));
  return [
    ...[...ids].map((id) => ({
      path: '/seller/btwId',
      id,
      wants: 'is required for this VAT treatment',
      isBroken: vatIdOf(seller) === '',
    })),
    {
      path: '/buyer/btwId',
      id: 'BR-AE-02',
      wants: 'or a register number is required when VAT is reverse charged',
      isBroken: has('reverse_charge') && vatIdOf(buyer) === '' && !legalIdOf(buyer),
    },
    {
      path: '/buyer/btwId',
      id: 'BR-IC-02',
      wants: 'is required for an intra-Community supply',
      isBroken: has('intra_community') && vatIdOf(buyer) === '',
    },
  ];
}

function documentRules(invoice: FrozenInvoice): Rule[] {
  const { kind, seller, credited, lines } = invoice;
  return [
    {
      path: '/seller/iban',
      id: seller.countryCode === 'NL' ? 'NL-R-007' : 'BR-61',
      wants: 'is required to be paid',
      isBroken: asksForMoney(invoice) && isBlank(seller.iban),
    },
    {
      path: '/credited',
      id: 'NL-R-001',
      wants: 'a credit note names its invoice',
      isBroken: kind === 'credit_note' && !credited?.number,
    },
    ...lines.map(({ description }, index) => ({
      path: `/lines/${index}/description`,
      id: 'BR-25',
      wants: 'is required',
      isBroken: isBlank(description),
    })),
  ];
}
