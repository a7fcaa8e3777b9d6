import { validationError } from '@invoicing/errors';

/**
 * What an update changes: the fields that its mask names, of which one that is not `given` is cleared (`undefined`). A mask is required:
 * proto3 does not tell an empty text or a zero from nothing. Throws `validation` at `/updateMask`.
 */
export function maskedFields<D extends object>(
  given: D,
  mask: readonly string[] | undefined,
  fields: readonly (keyof D & string)[],
): { [K in keyof D]?: D[K] | undefined } {
  const named = (mask ?? []).map(camelCase);
  const unknown = named.filter((each) => !(fields as readonly string[]).includes(each));
  if (named.length === 0) throw validationError([{ path: '/updateMask', message: 'must name what changes' }]);
  if (unknown.length > 0)
    throw validationError([{ path: '/updateMask', message: `has no field ${unknown.join(', ')}` }]);
  return Object.fromEntries(named.map((field) => [field, given[field as keyof D]])) as Partial<D>;
}

// A mask has the names of the contract, address_line1; ours are addressLine1. Either is fine.
const camelCase = (path: string): string => path.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
