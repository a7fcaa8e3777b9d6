import { requireValid, type Violation, validUnless } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';

/** What is known of a product. The REST body has the same field names. */
export interface ProductDetails {
  readonly name: string;
  /** Cents excluding VAT per unit; a discount is negative. */
  readonly unitPriceCents: number;
  /** Basis points, 0 to 10000. */
  readonly vatRateBps?: number | undefined;
  readonly unit?: string | undefined;
  readonly sku?: string | undefined;
}

/** Their names, as an update may name them. */
export const PRODUCT_FIELDS = ['name', 'unitPriceCents', 'vatRateBps', 'unit', 'sku'] as const;

const MAX_VAT_RATE_BPS = 10_000;

/** The details in their stored form. Throws `validation` with JSON Pointers into the REST body, all violations at once. */
export function checkProduct({ unitPriceCents, vatRateBps, ...given }: ProductDetails): ProductDetails {
  const violations: Violation[] = [];
  const refuse = (path: string, message: string | undefined): void => {
    if (message !== undefined) violations.push({ path, message });
  };
  // Forms send empty strings for what was not filled in.
  const [name, unit, sku] = [given.name, given.unit, given.sku].map((text) => (text?.trim() === '' ? undefined : text));

  refuse('/name', name === undefined ? 'is required' : textMessage(name, { max: 200 }));
  if (!Number.isSafeInteger(unitPriceCents)) refuse('/unitPriceCents', 'must be a whole number of cents');
  if (vatRateBps !== undefined && !(Number.isInteger(vatRateBps) && vatRateBps >= 0 && vatRateBps <= MAX_VAT_RATE_BPS))
    refuse('/vatRateBps', `must be a whole number from 0 to ${MAX_VAT_RATE_BPS}`);
  refuse('/unit', textMessage(unit ?? '', { max: 50 }));
  refuse('/sku', textMessage(sku ?? '', { max: 100 }));
  return requireValid(validUnless(violations, () => ({ name: name ?? '', unitPriceCents, vatRateBps, unit, sku })));
}
