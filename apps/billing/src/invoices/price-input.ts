import { requireValid } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import type { Ports } from '../billing-ports';
import type { Call } from './invoice-ports';
import { priceLines, type LineInput } from './price-lines';

/** Those of the ids that can be ids at all, each once: the rest belong to nobody. */
export const areUuids = (ids: readonly (string | undefined)[]): string[] => [
  ...new Set(ids.filter((id): id is string => id !== undefined && isUuid(id))),
];

/** Fills lines in and adds them up; stores nothing. Throws `validation`. */
export async function pricedLines(
  { catalog }: Pick<Ports, 'catalog'>,
  organizationId: string,
  inputs: readonly LineInput[],
  pricesIncludeVat: boolean,
  call: Call,
) {
  const productIds = areUuids(inputs.map((line) => line.productId));
  const products =
    productIds.length > 0
      ? (await catalog.resolve(organizationId, { customerIds: [], productIds }, call)).products
      : new Map();
  return requireValid(priceLines(inputs, products, pricesIncludeVat));
}
