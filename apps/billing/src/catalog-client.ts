import {
  ReferencesService,
  type Customer as ProtoCustomer,
  type Product as ProtoProduct,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { isLanguage } from '@invoicing/design';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import type { Product } from './invoices/price-lines';
import type { Catalog, Customer } from './invoices/invoice-ports';

/** Asks the catalog service which ids belong to an organisation. */
export function catalogClient(channel: RpcChannel): Catalog {
  const references = channel.client(ReferencesService);
  return {
    resolve: async (organizationId, { customerIds, productIds }, call) => {
      const request = { organizationId, customerIds: [...customerIds], productIds: [...productIds] };
      const found = await references.resolveReferences(request, newCallContext(0, { ...call, operationId: undefined }));
      const customers = new Map(found.customers.map((customer) => [customer.id, toCustomer(customer)]));
      // Whoever names one that was merged means the one that stays.
      for (const [id, into] of Object.entries(found.mergedCustomers)) {
        const customer = customers.get(into);
        if (customer) customers.set(id, customer);
      }
      return {
        customers,
        products: new Map(found.products.map((product) => [product.id, toProduct(product)])),
      };
    },
    findCustomers: async (organizationId, text, call) => {
      const asked = newCallContext(0, { ...call, operationId: undefined });
      return (await references.findCustomers({ organizationId, text, limit: 0 }, asked)).customerIds;
    },
  };
}

const toCustomer = ({ id, details, vatCheck }: ProtoCustomer): Customer => ({
  id,
  ...(isLanguage(details?.language) && { language: details.language }),
  ...(vatCheck?.checkedAt && { vatCheck: { ...vatCheck, checkedAt: vatCheck.checkedAt } }),
  party: {
    name: details?.name ?? '',
    companyName: details?.companyName ?? '',
    addressLine1: details?.addressLine1 ?? '',
    postalCode: details?.postalCode ?? '',
    city: details?.city ?? '',
    countryCode: details?.countryCode ?? '',
    btwId: details?.btwId ?? '',
    kvkNumber: details?.kvkNumber ?? '',
    email: details?.email ?? '',
    iban: '',
    bic: '',
  },
});

const toProduct = ({ id, details }: ProtoProduct): Product => ({
  id,
  name: details?.name ?? '',
  unitPriceCents: details?.unitPriceCents ?? 0,
  vatRateBps: details?.vatRateBps,
  unit: details?.unit ?? '',
});
