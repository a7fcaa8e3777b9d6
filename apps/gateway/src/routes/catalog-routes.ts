import { Type } from '@sinclair/typebox';
import { ArchivedFilter, type Customer, type Product } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { customer, customerInput } from '../schemas/customer';
import { product, productInput } from '../schemas/product';
import { isoTime } from './iso-time';
import { create, read, type Operation } from './route';

const LIMIT = 100;
// Within v1 nothing disappears.
const ALL = ArchivedFilter.INCLUDED;

const customerOf = ({ id, details, createdAt, updatedAt }: Customer) => ({
  id,
  name: details?.name ?? '',
  email: details?.email ?? null,
  companyName: details?.companyName ?? null,
  addressLine1: details?.addressLine1 ?? null,
  postalCode: details?.postalCode ?? null,
  city: details?.city ?? null,
  countryCode: details?.countryCode ?? null,
  btwId: details?.btwId ?? null,
  kvkNumber: details?.kvkNumber ?? null,
  externalId: details?.externalId ?? null,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

const productOf = ({ id, details, createdAt, updatedAt }: Product) => ({
  id,
  name: details?.name ?? '',
  unitPriceCents: details?.unitPriceCents ?? 0,
  vatRateBps: details?.vatRateBps ?? null,
  unit: details?.unit ?? null,
  sku: details?.sku ?? null,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

export const catalogRoutes: readonly Operation[] = [
  read({
    operationId: 'listCustomers',
    path: '/api/v1/customers',
    scope: 'customers:read',
    tag: 'Customers',
    summary: 'List customers (newest 100)',
    data: Type.Array(customer, { maxItems: LIMIT }),
    call: async ({ caller: { organizationId }, context }, { customers }) =>
      (await customers.listCustomers({ organizationId, limit: LIMIT, archived: ALL }, context)).customers.map(
        customerOf,
      ),
  }),
  create({
    operationId: 'createCustomer',
    path: '/api/v1/customers',
    scope: 'customers:write',
    tag: 'Customers',
    summary: 'Create a customer',
    body: customerInput,
    data: customer,
    examples: () => ['id', 'createdAt', 'updatedAt'],
    call: async ({ body, caller: { organizationId }, context, warn }, { customers }) => {
      const created = await customers.createCustomer({ organizationId, details: body }, context);
      warn(created.warnings);
      return customerOf(created);
    },
  }),
  read({
    operationId: 'listProducts',
    path: '/api/v1/products',
    scope: 'products:read',
    tag: 'Products',
    summary: 'List products (newest 100)',
    data: Type.Array(product, { maxItems: LIMIT }),
    call: async ({ caller: { organizationId }, context }, { products }) =>
      (await products.listProducts({ organizationId, limit: LIMIT, archived: ALL }, context)).products.map(productOf),
  }),
  create({
    operationId: 'createProduct',
    path: '/api/v1/products',
    scope: 'products:write',
    tag: 'Products',
    summary: 'Create a product',
    body: productInput,
    data: product,
    examples: () => ['id', 'createdAt', 'updatedAt'],
    call: async ({ body, caller: { organizationId }, context }, { products }) =>
      productOf(await products.createProduct({ organizationId, details: body }, context)),
  }),
];
