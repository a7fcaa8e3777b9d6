import { type Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { exampleOf } from '../openapi/component-schemas';
import { type Operation } from '../routes/route';

/** Ids that exist, to put into the examples of the document. */
export interface KnownIds {
  readonly organization: Organization;
  readonly customerId: string;
  readonly productId: string;
}

/** The example body of an operation, with every optional field, as the given organisation could send it. */
export function goodBodyOf(route: Operation, { organization, customerId, productId }: KnownIds): unknown {
  if (!route.body) return undefined;
  const ids: Record<string, string | undefined> = {
    customerId,
    productId,
    profileId: organization.profiles[0]?.id,
    orgId: organization.id,
  };
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, ids[name] ?? fill(each)]));
  };
  return fill(exampleOf(route.body));
}
