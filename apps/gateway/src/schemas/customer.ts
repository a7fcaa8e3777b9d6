import { Type } from '@sinclair/typebox';
import { object, optionalLine, orNull, singleLine, timestamp, uuid } from './fields';

const name = singleLine(200, 'Name of the person or organisation.', 'Jan Jansen');
const optional = {
  email: Type.String({
    maxLength: 254,
    pattern: '^([^\\s@]+@[^\\s@]+)?$',
    description: 'Where invoices are sent.',
    examples: ['jan@example.nl'],
  }),
  companyName: optionalLine(200, 'Company, when `name` is a person.', 'Jansen Bouw B.V.'),
  addressLine1: optionalLine(200, 'Street and house number.', 'Dorpsstraat 1'),
  postalCode: optionalLine(20, 'Postal code.', '1234 AB'),
  city: optionalLine(100, 'Town.', 'Utrecht'),
  countryCode: Type.String({ pattern: '^([A-Z]{2})?$', description: 'ISO 3166-1 alpha-2.', examples: ['NL'] }),
  btwId: optionalLine(30, 'VAT identification number.', 'NL001234567B01'),
  kvkNumber: optionalLine(30, 'Number in the trade register.', '12345678'),
  externalId: optionalLine(200, "The caller's own id.", 'crm-4711'),
};

/** A customer's optional fields; the payer's prefill of a checkout is made of the same. */
export const optionalCustomerFields = {
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
    id: uuid('Id of the customer.'),
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
