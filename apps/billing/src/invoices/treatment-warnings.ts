import { validationError, type Warning } from '@invoicing/errors';
import { isBusiness, isInEuropeanUnion } from '@invoicing/rules';
import { documentRulesOf, type Organization } from '../organizations/organization';
import { sellerOf } from './freeze-invoice';
import type { FrozenInvoice, Line, Party, VatTreatment } from './invoice';

type Taxed = Pick<FrozenInvoice, 'seller' | 'buyer'> & { readonly lines: readonly Pick<Line, 'vatTreatment'>[] };

const VATED: readonly VatTreatment[] = ['standard_21', 'reduced_9'];

/**
 * What of a document the law would not accept, though it can be made: Directive 2006/112/EC, article 138 (intra-Community supplies), 196
 * (reverse charge), 203 (VAT by who may ask for none) and 226(5) (address of the customer).
 */
export function treatmentWarnings({ seller, buyer, lines }: Taxed): Warning[] {
  const fieldOf = (...treatments: VatTreatment[]): string | undefined => {
    const at = lines.findIndex(({ vatTreatment }) => treatments.includes(vatTreatment));
    return at < 0 ? undefined : `/lines/${at}/vatTreatment`;
  };
  const warnings: [code: string, field: string | undefined, message: string | undefined][] = [
    ['intra_community_not_possible', fieldOf('intra_community'), intraCommunityFault(seller, buyer)],
    [
      'reverse_charge_to_private_person',
      fieldOf('reverse_charge'),
      isBusiness(buyer)
        ? undefined
        : 'VAT is reverse charged to a business only: the customer has no VAT id and no register number',
    ],
    [
      'vat_without_vat_id',
      fieldOf(...VATED),
      seller.btwId ? undefined : 'who has no VAT id asks for no VAT: set the VAT id of the organisation, or use exempt',
    ],
    [
      'missing_address',
      missingAddress(buyer) ? '/customerId' : undefined,
      `an invoice to a business shows its address: ${missingAddress(buyer)} missing`,
    ],
  ];
  return warnings.flatMap(([code, field, message]) => (field && message ? [{ code, message, field }] : []));
}

function intraCommunityFault(seller: Party, buyer: Party): string | undefined {
  // Without a country the customer is taken to be at home.
  const country = buyer.countryCode || seller.countryCode;
  if (country === seller.countryCode)
    return 'an intra-Community supply goes to another country: the customer is in the seller’s own';
  if (!isInEuropeanUnion(country) && !buyer.btwId.startsWith('XI'))
    return 'an intra-Community supply stays in the European Union: to other countries it is an export, zero';
  return buyer.btwId ? undefined : 'an intra-Community supply goes to a business: the customer has no VAT id';
}

/** Names of what is missing, e.g. "street and city are"; empty where nothing is, or the buyer is a private person. */
function missingAddress(buyer: Party): string {
  if (!isBusiness(buyer) && buyer.companyName === '') return '';
  const parts = { street: buyer.addressLine1, 'postal code': buyer.postalCode, city: buyer.city };
  const missing = Object.entries(parts).flatMap(([name, value]) => (value.trim() === '' ? [name] : []));
  return missing.length > 0 ? `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'}` : '';
}

/**
 * The warnings for a document that is about to be made. Throws `validation` where the organisation is strict and a caller asks for it; what a
 * schedule or a payment brings about is made all the same.
 */
export function judgeTreatments(
  organization: Organization,
  buyer: Party,
  lines: Taxed['lines'],
  isAsked: boolean,
): Warning[] {
  const warnings = treatmentWarnings({ seller: sellerOf(organization), buyer, lines });
  return isAsked ? unlessStrict(organization, warnings) : warnings;
}

/** The warnings for lines that are offered to somebody who says later who they are. Throws `validation` where the organisation is strict. */
export function judgeOffer(organization: Organization, buyer: Party, lines: Taxed['lines']): Warning[] {
  const warnings = treatmentWarnings({ seller: sellerOf(organization), buyer, lines });
  return unlessStrict(
    organization,
    warnings.filter(({ field }) => field?.startsWith('/lines/')),
  );
}

function unlessStrict(organization: Organization, warnings: Warning[]): Warning[] {
  if (warnings.length > 0 && documentRulesOf(organization).strict)
    throw validationError(warnings.map(({ field, message }) => ({ path: field, message })));
  return warnings;
}
