import type { Violation } from '@invoicing/errors';
import { endpointOf, legalIdOf, vatIdOf } from '@invoicing/rules';
import { asksForMoney, type FrozenInvoice, type Party, type VatTreatment } from '../../invoices/invoice';
import { isGerman, type Specification, specificationOf } from './specification';
import { vatCategoryOf } from './vat-category';

/** A check: where, which rule of EN 16931 / Peppol BIS 3 / NLCIUS, what it wants, and whether it is broken. */
interface Rule {
  readonly path: string;
  readonly id: string;
  readonly wants: string;
  readonly isBroken: boolean;
}

/**
 * What of this document keeps it from being a valid e-invoice by its specification; empty when `renderUbl` and `renderCii` make one. Rules
 * that the rendering meets for every document (sums, codes, order of elements) are not asked here: the specs prove them.
 */
export function eInvoiceViolations(invoice: FrozenInvoice, specification = specificationOf(invoice)): Violation[] {
  return [
    ...sellerRules(invoice),
    ...buyerRules(invoice, specification),
    ...(isGerman(invoice, specification) ? germanRules(invoice) : []),
    ...vatRules(invoice),
    ...documentRules(invoice),
  ]
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

const vatIdRules = (path: string, party: Party): Rule[] => [
  {
    path: `${path}/btwId`,
    id: 'BR-CO-09',
    wants: 'must begin with its country',
    isBroken: vatIdOf(party) !== '' && !VAT_ID.test(vatIdOf(party)),
  },
  {
    path: `${path}/btwId`,
    id: 'PEPPOL-COMMON-R056',
    wants: 'must be a Dutch VAT id such as NL001234567B01',
    isBroken: vatIdOf(party).startsWith('NL') && !/^NL\d{9}B\d\d$/.test(vatIdOf(party)),
  },
];

function sellerRules({ seller }: FrozenInvoice): Rule[] {
  const isDutch = seller.countryCode === 'NL';
  return [
    { path: '/seller/name', id: 'BR-06', wants: 'is required', isBroken: isBlank(seller.name) },
    { path: '/seller/countryCode', id: 'BR-09', wants: 'is required', isBroken: isBlank(seller.countryCode) },
    {
      path: '/seller',
      id: 'PEPPOL-EN16931-R020',
      wants: 'needs an electronic address: a register number or a VAT id that its country’s scheme takes',
      isBroken: !endpointOf(seller),
    },
    {
      path: '/seller/kvkNumber',
      id: 'NL-R-003',
      wants: 'must be a KvK number (8 digits) or an OIN (20 digits)',
      isBroken: isDutch && !legalIdOf(seller)?.scheme,
    },
    ...vatIdRules('/seller', seller),
    ...addressRules('/seller', 'NL-R-002', seller, isDutch),
  ];
}

function buyerRules({ seller, buyer }: FrozenInvoice, specification: Specification): Rule[] {
  const areDutch = seller.countryCode === 'NL' && buyer.countryCode === 'NL';
  const legal = legalIdOf(buyer);
  return [
    { path: '/buyer/name', id: 'BR-07', wants: 'is required', isBroken: isBlank(buyer.companyName || buyer.name) },
    { path: '/buyer/countryCode', id: 'BR-11', wants: 'is required', isBroken: isBlank(buyer.countryCode) },
    {
      path: '/buyer',
      id: 'PEPPOL-EN16931-R010',
      wants: 'needs an electronic address: a register number or a VAT id that its country’s scheme takes',
      isBroken: !endpointOf(buyer),
    },
    {
      path: '/buyer/kvkNumber',
      id: 'NL-R-005',
      wants: 'must be a KvK number (8 digits) or an OIN (20 digits)',
      isBroken: areDutch && legal !== undefined && !legal.scheme,
    },
    {
      path: '/buyer/kvkNumber',
      id: 'BR-NL-10',
      wants: 'is required by NLCIUS: a KvK number (8 digits) or an OIN (20 digits)',
      isBroken: specification === 'nlcius' && legal === undefined,
    },
    ...vatIdRules('/buyer', buyer),
    ...addressRules('/buyer', 'NL-R-004', buyer, areDutch),
  ];
}

function germanRules({ seller, buyer }: FrozenInvoice): Rule[] {
  const rule = (path: string, id: string, text: string | undefined, wants = 'is required by German rules'): Rule => ({
    path,
    id,
    wants,
    isBroken: isBlank(text ?? ''),
  });
  return [
    rule('/seller/city', 'BR-DE-3', seller.city),
    rule('/seller/postalCode', 'BR-DE-4', seller.postalCode),
    rule('/seller/phone', 'BR-DE-6', seller.phone),
    rule('/seller/email', 'BR-DE-7', seller.email),
    rule('/buyer/city', 'BR-DE-8', buyer.city),
    rule('/buyer/postalCode', 'BR-DE-9', buyer.postalCode),
  ];
}

function vatRules(invoice: FrozenInvoice): Rule[] {
  const { seller, buyer, totals } = invoice;
  const has = (treatment: VatTreatment): boolean =>
    totals.groups.some(({ vatTreatment }) => vatTreatment === treatment);
  const codes = new Set(totals.groups.map(({ vatTreatment }) => vatCategoryOf(vatTreatment, invoice).code));
  return [
    ...[...codes].map((code) => ({
      path: '/seller/btwId',
      id: `BR-${code === 'K' ? 'IC' : code}-02`,
      wants: 'is required for this VAT treatment',
      isBroken: code !== 'O' && vatIdOf(seller) === '',
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
