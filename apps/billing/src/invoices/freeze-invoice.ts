import type { TestScenario } from '@invoicing/rules';
import { businessDate } from './business-date';
import { type Language, languageOfCountry } from '@invoicing/design';
import { termsSaid } from './document-terms';
import type { DraftContent } from './draft';
import type { Party, Prepayment, VatCheck } from './invoice';
import type { Delivery, UnnumberedInvoice } from './issued-invoice';
import { CURRENCY, documentRulesOf, type Organization, type Profile } from '../organizations/organization';

export interface Origin {
  readonly id: string;
  readonly publicToken: string;
  readonly createdAt: Date;
  readonly testScenario?: TestScenario | undefined;
}

/** Both parties, lines and house style as they are now: a later change of any of them changes no issued invoice. */
export function freezeInvoice(parts: {
  organization: Organization;
  profile: Profile;
  customer: Party;
  vatCheck?: VatCheck | undefined;
  /** Chosen for the customer. */
  language?: Language | undefined;
  content: DraftContent;
  dates: { issueDate: string; dueDate: string };
  origin: Origin;
  delivery: Delivery;
  prepayment: Omit<Prepayment, 'date'> | undefined;
  publicUrl: string;
  issuedAt: Date;
}): UnnumberedInvoice {
  const { organization, profile, customer, content, dates, origin, delivery, prepayment, publicUrl, issuedAt } = parts;
  return {
    _id: origin.id,
    organizationId: organization._id,
    profileId: profile.id,
    customerId: content.customerId,
    kind: 'invoice',
    publicToken: origin.publicToken,
    issueDate: dates.issueDate,
    dueDate: dates.dueDate,
    supplyDate: content.supplyDate ?? '',
    currency: CURRENCY,
    language: content.language ?? parts.language ?? languageOfCountry(customer.countryCode),
    seller: sellerOf(organization),
    buyer: customer,
    lines: content.lines,
    totals: content.totals,
    vatExemptionReason: organization.details.vatExemptionReason,
    style: styleOf(profile),
    credited: null,
    reason: '',
    issuedAt,
    publicUrl: publicPageOf(publicUrl, origin.publicToken),
    delivery,
    checkoutId: content.checkoutId,
    createdAt: origin.createdAt,
    creditedLines: [],
    creditOrdinal: null,
    // Absent, not null, where there is none: such a document is sealed as it always was.
    ...(prepayment && { prepayment: datedPrepayment(prepayment, organization.details.timezone) }),
    ...termsSaid(content),
    ...(content.roundingTrace && { roundingTrace: content.roundingTrace }),
    ...eInvoiceRulesOf(organization),
    ...testMarkOf(organization),
    // About this very number: a payer may have filled in another.
    ...(parts.vatCheck?.vatId === customer.btwId && { vatCheck: parts.vatCheck }),
    ...(origin.testScenario && { testScenario: origin.testScenario }),
  };
}

/** Absent where nobody wished otherwise, as on documents from before it was asked. */
const eInvoiceRulesOf = (organization: Organization): { readonly eInvoiceRules?: 'national' } =>
  documentRulesOf(organization).eInvoice === 'national' ? { eInvoiceRules: 'national' } : {};

/** Absent on live documents, which are sealed as they always were. */
export const testMarkOf = ({ mode }: Pick<Organization, 'mode'>): { readonly test?: true } =>
  mode === 'test' ? { test: true } : {};

const datedPrepayment = (
  { provider, method, id, paidAt, amountCents }: Omit<Prepayment, 'date'>,
  timezone: string,
): Prepayment => ({ provider, method, id, paidAt, date: businessDate(paidAt, timezone), amountCents });

export const publicPageOf = (publicUrl: string, publicToken: string): string => `${publicUrl}/p/${publicToken}`;

export function sellerOf({ details }: Organization): Party {
  const { name, addressLine1, postalCode, city, countryCode, btwId, kvkNumber, email, iban, bic, phone } = details;
  const reached = { email, ...(phone && { phone }), iban, bic };
  return { name, companyName: '', addressLine1, postalCode, city, countryCode, btwId, kvkNumber, ...reached };
}

const styleOf = ({ name, accentColor, footer, logoId }: Profile): UnnumberedInvoice['style'] => ({
  profileName: name,
  accentColor,
  footer,
  logoId,
});
