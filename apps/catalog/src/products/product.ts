import { requireValid, type Violation, validUnless } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';

/** What is known of a product. The REST body has the same field names. */
export interface ProductDetails {
  readonly name: string;
  /** Cents excluding VAT per unit; a discount is negative. */
  readonly unitPriceCents: number;
  /** Basis points: 2100, 900 or 0. */
  readonly vatRateBps?: number | undefined;
  readonly unit?: string | undefined;
  readonly sku?: string | undefined;
}

const VAT_RATES_BPS = [2100, 900, 0];

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
  if (vatRateBps !== undefined && !VAT_RATES_BPS.includes(vatRateBps))
    refuse('/vatRateBps', `must be one of ${VAT_RATES_BPS.join(', ')}`);
  refuse('/unit', textMessage(unit ?? '', { max: 50 }));
  refuse('/sku', textMessage(sku ?? '', { max: 100 }));
  return requireValid(validUnless(violations, () => ({ name: name ?? '', unitPriceCents, vatRateBps, unit, sku })));
}
