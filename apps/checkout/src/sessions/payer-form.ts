import { isCountryCode } from './country-codes';
import { type Payer, type PayerPrefill } from './session';
import { isVatId } from './vat-id';

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
export type PayerFault = 'required' | 'too_long' | 'unprintable' | 'email' | 'country' | 'btw_id' | 'kvk_number';

export type CheckedPayer =
  | { readonly payer: Payer; readonly faults: null }
  | { readonly payer: null; readonly faults: Partial<Record<PayerField, PayerFault>> };

const LIMITS: Record<Exclude<PayerField, 'type'>, number> = {
  name: 200,
  email: 254,
  companyName: 200,
  addressLine1: 200,
  postalCode: 20,
  city: 100,
  countryCode: 2,
  btwId: 30,
  kvkNumber: 30,
};
const EMAIL = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\.]+(\.[^\s@<>()[\],;:"\\.]+)+$/u;
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]/u;

/** Checked as strictly as catalog checks a customer: what passes here must not fail after the payer has paid. */
export function checkPayer(form: PayerForm, prefill: PayerPrefill): CheckedPayer {
  const faults: Partial<Record<PayerField, PayerFault>> = {};
  const isCompany = form.type === 'company';
  const text = (field: keyof typeof LIMITS): string | undefined => {
    const value = form[field].trim();
    if (value.length > LIMITS[field]) faults[field] = 'too_long';
    if (UNPRINTABLE.test(value)) faults[field] = 'unprintable';
    return value === '' ? undefined : value;
  };

  const email = text('email');
  if (email === undefined) faults.email = 'required';
  else if (!EMAIL.test(email)) faults.email ??= 'email';

  const name = text('name');
  // Company fields that are hidden for a person are not taken from one.
  const companyName = isCompany ? text('companyName') : undefined;
  if (isCompany && companyName === undefined) faults.companyName = 'required';
  if (!isCompany && name === undefined) faults.name = 'required';

  const countryCode = text('countryCode')?.toUpperCase() ?? 'NL';
  if (!isCountryCode(countryCode)) faults.countryCode ??= 'country';

  const btwId = isCompany
    ? text('btwId')
        ?.replace(/[\s.-]/g, '')
        .toUpperCase()
    : undefined;
  if (btwId !== undefined && !isVatId(btwId)) faults.btwId ??= 'btw_id';

  const kvkNumber = isCompany ? text('kvkNumber')?.replace(/[\s.]/g, '') : undefined;
  if (kvkNumber !== undefined && countryCode === 'NL' && !/^\d{8}$/.test(kvkNumber)) faults.kvkNumber ??= 'kvk_number';

  const rest = { addressLine1: text('addressLine1'), postalCode: text('postalCode'), city: text('city') };
  if (Object.keys(faults).length > 0) return { payer: null, faults };
  const payer = {
    name: name ?? companyName ?? '',
    email: email ?? '',
    companyName,
    ...rest,
    countryCode,
    btwId,
    kvkNumber,
    externalId: prefill.externalId,
  };
  return { payer, faults: null };
}

/** The form as it is first shown. */
export function prefilledForm(known: PayerPrefill): PayerForm {
  const isCompany = Boolean(known.companyName || known.btwId || known.kvkNumber);
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
