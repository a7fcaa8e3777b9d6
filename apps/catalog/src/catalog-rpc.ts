import {
  CustomersService,
  ProductsService,
  ReferencesService,
  type Customer,
  type CustomerDetails as CustomerMessage,
  type Product,
  type ProductDetails as ProductMessage,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { notFoundError, validationError } from '@invoicing/errors';
import { type Model } from '@invoicing/mongo';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';
import { isUuid } from '@invoicing/rules';
import { checkCustomer } from './customers/customer';
import { createCustomer, matchCustomer, type CustomerRecord } from './customers/customer-store';
import { checkProduct } from './products/product';
import { type ProductRecord } from './products/product-store';
import { createRecord, findRecord, listRecords, resolveRecords } from './record-store';

const LIST = { usual: 100, most: 100 };
// An invoice has at most 500 lines, each with a product of its own.
const RESOLVE_LIMIT = 1_000;

export function catalogServices(customers: Model<CustomerRecord>, products: Model<ProductRecord>): BoundService[] {
  return [
    bindService(
      CustomersService,
      {
        createCustomer: async ({ organizationId, details }, { operationId }) =>
          customerMessage(
            await createCustomer(customers, owner(organizationId), operationId, checkCustomer(given(details))),
          ),
        matchCustomer: async ({ organizationId, details }, { operationId }) =>
          customerMessage(
            await matchCustomer(customers, owner(organizationId), operationId, checkCustomer(given(details))),
          ),
        getCustomer: async ({ organizationId, customerId }) => {
          const found = await findRecord(customers, owner(organizationId), customerId);
          if (!found) throw notFoundError('the customer');
          return customerMessage(found);
        },
        listCustomers: async ({ organizationId, limit }) => ({
          customers: (await listRecords(customers, owner(organizationId), listLimit(limit, LIST))).map(customerMessage),
        }),
      },
      {
        createCustomer: { callers: ['gateway', 'application', 'admin'], action: 'customers.write' },
        matchCustomer: { callers: ['checkout'] },
        getCustomer: { callers: ['application', 'admin'], action: 'customers.read' },
        listCustomers: { callers: ['gateway', 'application', 'admin'], action: 'customers.read' },
      },
    ),
    bindService(
      ProductsService,
      {
        createProduct: async ({ organizationId, details }, { operationId }) =>
          productMessage(
            await createRecord(products, owner(organizationId), operationId, { details: checkProduct(given(details)) }),
          ),
        listProducts: async ({ organizationId, limit }) => ({
          products: (await listRecords(products, owner(organizationId), listLimit(limit, LIST))).map(productMessage),
        }),
      },
      {
        createProduct: { callers: ['gateway', 'application', 'admin'], action: 'products.write' },
        listProducts: { callers: ['gateway', 'application', 'admin'], action: 'products.read' },
      },
    ),
    bindService(
      ReferencesService,
      {
        resolveReferences: async ({ organizationId, customerIds, productIds }) => {
          if (customerIds.length > RESOLVE_LIMIT || productIds.length > RESOLVE_LIMIT)
            throw validationError([{ path: '', message: `must name at most ${RESOLVE_LIMIT} ids of a kind` }]);
          const [foundCustomers, foundProducts] = await Promise.all([
            resolveRecords(customers, owner(organizationId), customerIds),
            resolveRecords(products, owner(organizationId), productIds),
          ]);
          return { customers: foundCustomers.map(customerMessage), products: foundProducts.map(productMessage) };
        },
      },
      { resolveReferences: { callers: ['billing'] } },
    ),
  ];
}

function owner(organizationId: string): string {
  if (!isUuid(organizationId))
    throw validationError([{ path: '/organizationId', message: 'must be a lower-case UUID' }]);
  return organizationId;
}

function given<D extends CustomerMessage | ProductMessage>(details: D | undefined): D {
  if (!details) throw validationError([{ path: '', message: 'details are required' }]);
  return details;
}

const customerMessage = ({ _id, emailKey: _emailKey, matchKey: _matchKey, ...rest }: CustomerRecord): Customer => ({
  id: _id,
  ...rest,
});

const productMessage = ({ _id, ...rest }: ProductRecord): Product => ({ id: _id, ...rest });
