import { fieldRules } from '../field-rules';

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
export function checkProduct(given: ProductDetails): ProductDetails {
  const { text, refuse, finish } = fieldRules();

  const name = text('/name', given.name, 200);
  if (name === undefined) refuse('/name', 'is required');

  const { unitPriceCents, vatRateBps } = given;
  if (!Number.isSafeInteger(unitPriceCents)) refuse('/unitPriceCents', 'must be a whole number of cents');
  if (vatRateBps !== undefined && !VAT_RATES_BPS.includes(vatRateBps))
    refuse('/vatRateBps', `must be one of ${VAT_RATES_BPS.join(', ')}`);

  const details = {
    name: name ?? '',
    unitPriceCents,
    vatRateBps,
    unit: text('/unit', given.unit, 50),
    sku: text('/sku', given.sku, 100),
  };
  finish();
  return details;
}
