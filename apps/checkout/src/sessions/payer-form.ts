import { readParty, type PartyDetails, type PartyFault } from '@invoicing/rules';
import { type Payer, type PayerPrefill, type Session } from './session';

/** The invoice details as a payer sent them, all text. */
export interface PayerForm {
  readonly type: 'person' | 'company';
  readonly name: string;
  readonly email: string;
  readonly companyName: string;
  readonly addressLine1: string;
  readonly postalCode: string;
  readonly city: string;
  readonly countryCode: string;
  readonly btwId: string;
  readonly kvkNumber: string;
}

export type PayerField = keyof PayerForm;

/** Why a field does not fit; the page has a sentence for each in every language. */
export type PayerFault = 'required' | PartyFault;

export type CheckedPayer =
  | { readonly payer: Payer; readonly faults: null }
  | { readonly payer: null; readonly faults: Partial<Record<PayerField, PayerFault>> };

const FOR_COMPANIES = ['VAT_TREATMENT_REVERSE_CHARGE', 'VAT_TREATMENT_INTRA_COMMUNITY'];

/** Whether only a company with a VAT identification number can buy this: VAT that the buyer owes, or a supply to another member state. */
export const needsVatId = ({ lines }: Pick<Session, 'lines'>): boolean =>
  lines.some(({ vatTreatment }) => FOR_COMPANIES.includes(vatTreatment));

/** Checked by the rules that catalog checks a customer by: what passes here must not fail after the payer has paid. */
export function checkPayer(
  { type, ...form }: PayerForm,
  { prefill, lines }: Pick<Session, 'prefill' | 'lines'>,
): CheckedPayer {
  const filled = Object.fromEntries(Object.entries(form).map(([field, text]) => [field, text.trim()])) as typeof form;
  const { companyName, btwId, kvkNumber, ...person } = filled;
  const companiesOnly = needsVatId({ lines });
  const isCompany = type === 'company' || companiesOnly;
  const given: PartyDetails = {
    ...person,
    countryCode: filled.countryCode || 'NL',
    // Company fields that are hidden for a person are not taken from one.
    ...(isCompany && { companyName, btwId, kvkNumber }),
  };
  const read = readParty(given);
  const faults: Partial<Record<PayerField, PayerFault>> = {
    ...(filled.email === '' && { email: 'required' }),
    ...(isCompany && companyName === '' && { companyName: 'required' }),
    ...(companiesOnly && btwId === '' && { btwId: 'required' }),
    ...(!isCompany && filled.name === '' && { name: 'required' }),
    ...('faults' in read && read.faults),
  };
  if ('faults' in read || Object.keys(faults).length > 0) return { payer: null, faults };
  const { name = read.party.companyName ?? '', email = '' } = read.party;
  return { payer: { ...read.party, name, email, externalId: prefill.externalId }, faults: null };
}

/** The form as it is first shown. */
export function prefilledForm(known: PayerPrefill, companiesOnly = false): PayerForm {
  const isCompany = companiesOnly || Boolean(known.companyName || known.btwId || known.kvkNumber);
  return {
    type: isCompany ? 'company' : 'person',
    name: known.name === known.companyName ? '' : (known.name ?? ''),
    email: known.email ?? '',
    companyName: known.companyName ?? '',
    addressLine1: known.addressLine1 ?? '',
    postalCode: known.postalCode ?? '',
    city: known.city ?? '',
    countryCode: known.countryCode?.toUpperCase() ?? 'NL',
    btwId: known.btwId ?? '',
    kvkNumber: known.kvkNumber ?? '',
  };
}
