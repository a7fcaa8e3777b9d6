import { Type } from '@sinclair/typebox';
import { PARTY_LIMITS } from '@invoicing/rules';
import { object, optionalLine, orNull, singleLine, timestamp, uuid } from './fields';

const name = singleLine(PARTY_LIMITS.name, 'Name of the person or organisation.', 'Jan Jansen');
const optional = {
  email: Type.String({
    format: 'email',
    maxLength: PARTY_LIMITS.email,
    description: 'Where invoices are sent: one plain address at a domain of two labels or more.',
    examples: ['jan@example.nl'],
  }),
  companyName: optionalLine(PARTY_LIMITS.companyName, 'Company, when `name` is a person.', 'Jansen Bouw B.V.'),
  addressLine1: optionalLine(PARTY_LIMITS.addressLine1, 'Street and house number.', 'Dorpsstraat 1'),
  postalCode: optionalLine(PARTY_LIMITS.postalCode, 'Postal code.', '1234 AB'),
  city: optionalLine(PARTY_LIMITS.city, 'Town.', 'Utrecht'),
  countryCode: Type.String({
    format: 'country-code',
    maxLength: PARTY_LIMITS.countryCode,
    description: 'ISO 3166-1 alpha-2, an officially assigned code in upper case.',
    examples: ['NL'],
  }),
  btwId: optionalLine(PARTY_LIMITS.btwId, "VAT identification number, in its country's form.", 'NL123456789B13'),
  kvkNumber: optionalLine(
    PARTY_LIMITS.kvkNumber,
    'Number in the trade register, in any form; in NL a KvK number has 8 digits, and another one is kept with a warning.',
    '12345678',
  ),
  externalId: optionalLine(PARTY_LIMITS.externalId, "The caller's own id.", 'crm-4711'),
};

/** A customer's optional fields; the payer's prefill of a checkout is made of the same. */
const optionalCustomerFields = {
  email: Type.Optional(optional.email),
  companyName: Type.Optional(optional.companyName),
  addressLine1: Type.Optional(optional.addressLine1),
  postalCode: Type.Optional(optional.postalCode),
  city: Type.Optional(optional.city),
  countryCode: Type.Optional(optional.countryCode),
  btwId: Type.Optional(optional.btwId),
  kvkNumber: Type.Optional(optional.kvkNumber),
  externalId: Type.Optional(optional.externalId),
};

export const customerInput = object('CustomerInput', { name, ...optionalCustomerFields }, 'A customer to create.');

export const payerInput = object(
  'PayerInput',
  { name: Type.Optional(name), ...optionalCustomerFields },
  "Prefills the payer's invoice details.",
);

export const customer = object(
  'Customer',
  {
    id: uuid('customer', 'Id of the customer.'),
    name,
    email: orNull(optional.email),
    companyName: orNull(optional.companyName),
    addressLine1: orNull(optional.addressLine1),
    postalCode: orNull(optional.postalCode),
    city: orNull(optional.city),
    countryCode: orNull(optional.countryCode),
    btwId: orNull(optional.btwId),
    kvkNumber: orNull(optional.kvkNumber),
    externalId: orNull(optional.externalId),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it last changed.'),
  },
  'A customer; null where a field was left out.',
);
