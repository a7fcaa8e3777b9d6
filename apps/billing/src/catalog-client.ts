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
      return {
        customers: named(found.customers.map(toCustomer), found.mergedCustomers),
        products: named(found.products.map(toProduct), found.mergedProducts),
      };
    },
    findCustomers: async (organizationId, text, call) => {
      const asked = newCallContext(0, { ...call, operationId: undefined });
      return (await references.findCustomers({ organizationId, text, limit: 0 }, asked)).customerIds;
    },
  };
}

/** By id; whoever names one that was merged means the one that stays. */
function named<T extends { readonly id: string }>(
  found: readonly T[],
  merged: Readonly<Record<string, string>>,
): ReadonlyMap<string, T> {
  const standing = new Map(found.map((each) => [each.id, each]));
  const others = Object.entries(merged).flatMap(([id, into]): [string, T][] => {
    const one = standing.get(into);
    return one ? [[id, one]] : [];
  });
  return new Map([...standing, ...others]);
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
