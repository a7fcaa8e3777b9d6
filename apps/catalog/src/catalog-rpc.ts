import {
  ArchivedFilter,
  CustomersService,
  HistoryService,
  ProductsService,
  ReferencesService,
  type Customer,
  type CustomerDetails as CustomerMessage,
  type ListCustomersRequest,
  type ListProductsRequest,
  type Product,
  type ProductDetails as ProductMessage,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { faultless, requireValid, validationError } from '@invoicing/errors';
import { type History, type Recorded } from '@invoicing/mongo';
import { bindService, listLimit, maskedFields, type BoundService, type ServerCallContext } from '@invoicing/rpc';
import { isUuid, PARTY_LIMITS, registerNumberWarnings, textMessage, type PartyField } from '@invoicing/rules';
import { checkCustomer } from './customers/customer';
import { type CustomerErasure } from './customers/customer-erasure-store';
import { type CustomerRecord, type CustomerStore } from './customers/customer-store';
import { checkProduct, PRODUCT_FIELDS } from './products/product';
import { type ProductRecord } from './products/product-store';
import { type CatalogRecord, type Listed, type RecordStore } from './record-store';

const LIST = { usual: 100, most: 100 };
const MAX_TEXT = 200;
const CUSTOMER_FIELDS = [...(Object.keys(PARTY_LIMITS) as PartyField[]), 'language'] as const;
// An invoice has at most 500 lines, each with a product of its own.
const RESOLVE_LIMIT = 1_000;

type Products = RecordStore<ProductRecord>;

/** What the catalog's services work on. */
export interface CatalogPorts {
  readonly customers: CustomerStore;
  readonly erasure: CustomerErasure;
  readonly products: Products;
  readonly history: History;
}

/** Everything that is asked of the catalog. */
export const catalogServices = ({ customers, erasure, products, history }: CatalogPorts): BoundService[] => [
  customersService(customers, erasure),
  productsService(products),
  referencesService(customers, products),
  historyService(history),
];

const customersService = (customers: CustomerStore, erasure: CustomerErasure): BoundService =>
  bindService(
    CustomersService,
    {
      createCustomer: async ({ organizationId, details }, call) =>
        customerMessage(await customers.create(owner(organizationId), checkCustomer(given(details)), call)),
      matchCustomer: async ({ organizationId, details }, call) =>
        customerMessage(await customers.match(owner(organizationId), checkCustomer(given(details)), call)),
      getCustomer: async ({ organizationId, customerId }, call) =>
        customerMessage(await customers.get(ownerOrAny(organizationId, call), customerId)),
      listCustomers: async ({ organizationId, ...wanted }) => {
        const { items, next } = await customers.page(owner(organizationId), listed(wanted));
        return { customers: items.map(customerMessage), cursor: next };
      },
      updateCustomer: async ({ organizationId, customerId, details, updateMask, revision }, call) => {
        const changes = maskedFields(given(details), updateMask, CUSTOMER_FIELDS);
        const seen = await customers.get(ownerOrAny(organizationId, call), customerId);
        const changed = checkCustomer({ ...seen.details, ...changes } as CustomerMessage);
        return customerMessage(await customers.update(seen, changed, { by: call.by, revision }));
      },
      archiveCustomer: async ({ organizationId, customerId, revision, undo }, call) => {
        const seen = await customers.get(ownerOrAny(organizationId, call), customerId);
        return customerMessage(await customers.archive(seen, !undo, { by: call.by, revision }));
      },
      mergeCustomers: async ({ organizationId, customerId, intoCustomerId }, call) => {
        const [seen, into] = await Promise.all(
          [customerId, intoCustomerId].map((id) => customers.get(owner(organizationId), id)),
        );
        return customerMessage(await customers.merge(seen!, into!, { by: call.by }));
      },
      beginErasure: async ({ organizationId, customerId }, call) =>
        customerMessage(
          await erasure.begin(await customers.get(ownerOrAny(organizationId, call), customerId), call.by),
        ),
      finishErasure: async ({ organizationId, customerId, isReferredTo }, call) => {
        const seen = await customers.get(ownerOrAny(organizationId, call), customerId);
        return { removed: await erasure.finish(seen, isReferredTo, call.by) };
      },
    },
    {
      createCustomer: { callers: ['gateway', 'application', 'admin'], action: 'customers.write', dryRun: true },
      matchCustomer: { callers: ['checkout'] },
      getCustomer: { callers: ['application', 'admin'], action: 'customers.read' },
      listCustomers: { callers: ['gateway', 'application', 'admin'], action: 'customers.read' },
      updateCustomer: { callers: ['application', 'admin'], action: 'customers.write' },
      archiveCustomer: { callers: ['application', 'admin'], action: 'customers.write' },
      mergeCustomers: { callers: ['application'], action: 'customers.write' },
      beginErasure: { callers: ['admin'] },
      finishErasure: { callers: ['admin'] },
    },
  );

const productsService = (products: Products): BoundService =>
  bindService(
    ProductsService,
    {
      createProduct: async ({ organizationId, details }, call) =>
        productMessage(await products.create(owner(organizationId), { details: checkProduct(given(details)) }, call)),
      listProducts: async ({ organizationId, ...wanted }) => {
        const { items, next } = await products.page(owner(organizationId), listed(wanted));
        return { products: items.map(productMessage), cursor: next };
      },
      getProduct: async ({ organizationId, productId }, call) =>
        productMessage(await products.get(ownerOrAny(organizationId, call), productId)),
      updateProduct: async ({ organizationId, productId, details, updateMask, revision }, call) => {
        const changes = maskedFields(given(details), updateMask, PRODUCT_FIELDS);
        const seen = await products.get(ownerOrAny(organizationId, call), productId);
        const changed = checkProduct({ ...seen.details, ...changes } as ProductMessage);
        return productMessage(await products.update(seen, changed, { by: call.by, revision }));
      },
      archiveProduct: async ({ organizationId, productId, revision, undo }, call) => {
        const seen = await products.get(ownerOrAny(organizationId, call), productId);
        return productMessage(await products.archive(seen, !undo, { by: call.by, revision }));
      },
      mergeProducts: async ({ organizationId, productId, intoProductId }, call) => {
        const [seen, into] = await Promise.all(
          [productId, intoProductId].map((id) => products.get(owner(organizationId), id)),
        );
        return productMessage(await products.merge(seen!, into!, { by: call.by }));
      },
    },
    {
      createProduct: { callers: ['gateway', 'application', 'admin'], action: 'products.write', dryRun: true },
      listProducts: { callers: ['gateway', 'application', 'admin'], action: 'products.read' },
      getProduct: { callers: ['application', 'admin'], action: 'products.read' },
      updateProduct: { callers: ['application', 'admin'], action: 'products.write' },
      archiveProduct: { callers: ['application', 'admin'], action: 'products.write' },
      mergeProducts: { callers: ['application'], action: 'products.write' },
    },
  );

const referencesService = (customers: CustomerStore, products: Products): BoundService =>
  bindService(
    ReferencesService,
    {
      resolveReferences: async ({ organizationId, customerIds, productIds }) => {
        if (customerIds.length > RESOLVE_LIMIT || productIds.length > RESOLVE_LIMIT)
          throw validationError([{ path: '', message: `must name at most ${RESOLVE_LIMIT} ids of a kind` }]);
        const [foundCustomers, foundProducts] = await Promise.all([
          customers.resolve(owner(organizationId), customerIds),
          products.resolve(owner(organizationId), productIds),
        ]);
        const [customersNow, productsNow] = await Promise.all([
          Promise.all(foundCustomers.map(customers.standingFor)),
          Promise.all(foundProducts.map(products.standingFor)),
        ]);
        return {
          customers: customersNow.filter(({ erasedAt }) => !erasedAt).map(customerMessage),
          products: productsNow.map(productMessage),
          mergedCustomers: mergedOf(foundCustomers, customersNow),
          mergedProducts: mergedOf(foundProducts, productsNow),
        };
      },
      findCustomers: async ({ organizationId, text, limit }) => {
        const wanted = listed({ limit, text, cursor: undefined, archived: undefined });
        return { customerIds: await customers.findByWords(owner(organizationId), text, wanted.limit) };
      },
    },
    {
      resolveReferences: { callers: ['billing', 'application'], action: 'customers.read' },
      findCustomers: { callers: ['billing'] },
    },
  );

/** Id of each that was merged → id of the one that stands for it now. */
const mergedOf = (found: readonly Recorded[], standing: readonly Recorded[]): Record<string, string> =>
  Object.fromEntries(
    found.flatMap(({ _id }, index): [string, string][] =>
      standing[index]!._id === _id ? [] : [[_id, standing[index]!._id]],
    ),
  );

const historyService = (history: History): BoundService =>
  bindService(
    HistoryService,
    {
      listHistory: ({ organizationId, limit, cursor }) =>
        history.page(owner(organizationId), { limit: listLimit(limit, LIST), cursor }),
    },
    { listHistory: { callers: ['application', 'admin'], action: 'history.read' } },
  );

/** Throws `validation` for what is no organisation's id. */
export function owner(organizationId: string): string {
  if (!isUuid(organizationId))
    throw validationError([{ path: '/organizationId', message: 'must be a lower-case UUID' }]);
  return organizationId;
}

/** An operator may leave the organisation out; everybody else acts for the one they name. */
const ownerOrAny = (organizationId: string, { caller }: ServerCallContext): string | undefined =>
  organizationId === '' && caller === 'admin' ? undefined : owner(organizationId);

function given<D extends CustomerMessage | ProductMessage>(details: D | undefined): D {
  if (!details) throw validationError([{ path: '', message: 'details are required' }]);
  return details;
}

type ListRequest = Omit<ListCustomersRequest | ListProductsRequest, 'organizationId'>;

function listed({ limit, cursor, text, archived }: ListRequest): Listed {
  const fault = textMessage(text ?? '', { max: MAX_TEXT });
  requireValid(faultless(text, '/text', fault));
  return { limit: listLimit(limit, LIST), cursor, text, archived: (archived && SHOWN[archived]) ?? 'without' };
}

const SHOWN: Partial<Record<ArchivedFilter, Listed['archived']>> = {
  [ArchivedFilter.INCLUDED]: 'included',
  [ArchivedFilter.ONLY]: 'only',
};

/** What VIES answered is about the number that the customer had then. */
export const customerMessage = ({
  emailKey: _key,
  matchKey: _matchKey,
  nameWords: _words,
  vatCheck,
  ...record
}: CustomerRecord): Customer => ({
  ...message(record),
  warnings: registerNumberWarnings(record.details),
  vatCheck: vatCheck?.vatId === record.details.btwId ? vatCheck : undefined,
});

const productMessage = (record: ProductRecord): Product => message(record);

const message = <R extends CatalogRecord<unknown>>({ _id, lastChange: _change, ...rest }: R) => ({ ...rest, id: _id });
