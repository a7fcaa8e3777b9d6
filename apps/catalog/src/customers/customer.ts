import { isCountryCode } from './country-codes';
import { fieldRules } from '../field-rules';
import { isVatId } from './vat-id';

/** What is known of a customer; only `name` is certain. The REST body has the same field names. */
export interface CustomerDetails {
  readonly name: string;
  readonly email?: string | undefined;
  readonly companyName?: string | undefined;
  readonly addressLine1?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly city?: string | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countryCode?: string | undefined;
  /** Upper case, without spaces, dots and dashes. */
  readonly btwId?: string | undefined;
  /** Eight digits for a Dutch customer, else the register's own form. */
  readonly kvkNumber?: string | undefined;
  readonly externalId?: string | undefined;
}

const EMAIL = /^[^\s@<>()[\],;:"\\]{1,64}@[^\s@<>()[\],;:"\\.]+(\.[^\s@<>()[\],;:"\\.]+)+$/u;

/** The details in their stored form. Throws `validation` with JSON Pointers into the REST body, all violations at once. */
export function checkCustomer(given: CustomerDetails): CustomerDetails {
  const { text, refuse, finish } = fieldRules();

  const name = text('/name', given.name, 200);
  if (name === undefined) refuse('/name', 'is required');

  const email = text('/email', given.email?.trim(), 254);
  if (email && !EMAIL.test(email)) refuse('/email', 'must be an e-mail address');

  const countryCode = text('/countryCode', given.countryCode, 2)?.toUpperCase();
  if (countryCode && !isCountryCode(countryCode)) refuse('/countryCode', 'must be an ISO 3166-1 alpha-2 code');

  const btwId = text('/btwId', given.btwId, 30)
    ?.replace(/[\s.-]/g, '')
    .toUpperCase();
  if (btwId !== undefined && !isVatId(btwId)) refuse('/btwId', 'must be a VAT identification number');

  const kvk = text('/kvkNumber', given.kvkNumber, 30);
  const isDutch = (countryCode ?? 'NL') === 'NL';
  const kvkNumber = isDutch ? kvk?.replace(/[\s.]/g, '') : kvk;
  if (isDutch && kvkNumber !== undefined && !/^\d{8}$/.test(kvkNumber)) refuse('/kvkNumber', 'must be 8 digits');

  const details = {
    name: name ?? '',
    email,
    companyName: text('/companyName', given.companyName, 200),
    addressLine1: text('/addressLine1', given.addressLine1, 200),
    postalCode: text('/postalCode', given.postalCode, 20),
    city: text('/city', given.city, 100),
    countryCode,
    btwId,
    kvkNumber,
    externalId: text('/externalId', given.externalId, 200),
  };
  finish();
  return details;
}

/** Two spellings of one mailbox compare equal; nobody runs case-sensitive mailboxes side by side. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();
