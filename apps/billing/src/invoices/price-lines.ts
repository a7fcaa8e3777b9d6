import type { Violation } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';
import type { Line, Totals, VatTreatment } from './invoice';
import { formatQuantity, parseQuantity } from './quantity';
import { isSafeAmount, netCents, totalsOf, treatmentOfRate, vatTreatments } from './totals';

/** A line as a caller asks for it; what it leaves out comes from its product. */
export interface LineInput {
  readonly description?: string | undefined;
  readonly quantity?: string | undefined;
  readonly unitPriceCents?: number | undefined;
  readonly vatTreatment?: VatTreatment | 'unknown' | undefined;
  readonly productId?: string | undefined;
}

/** What a line can take from its product. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly unitPriceCents: number;
  readonly vatRateBps: number | undefined;
  readonly unit: string;
}

export interface Priced {
  readonly lines: readonly Line[];
  readonly totals: Totals;
}

const MAX_LINES = 500;
const MAX_DESCRIPTION = 2_000;
const DEFAULT_DESCRIPTION = 'Regel';
const NO_TOTALS: Totals = { exclCents: 0, vatCents: 0, inclCents: 0, groups: [] };

/** Fills the lines in and adds them up. Every fault goes to `violations`, with a JSON Pointer into the body; then the result is void. */
export function priceLines(
  inputs: readonly LineInput[],
  products: ReadonlyMap<string, Product>,
  violations: Violation[],
): Priced {
  if (inputs.length < 1 || inputs.length > MAX_LINES) {
    violations.push({ path: '/lines', message: `must have 1 to ${MAX_LINES} lines` });
    return { lines: [], totals: NO_TOTALS };
  }
  const before = violations.length;
  const lines = inputs.flatMap((input, index) => priceLine(input, index, products, violations) ?? []);
  const totals = violations.length === before ? totalsOf(lines) : NO_TOTALS;
  if (!totals) violations.push({ path: '/lines', message: 'the totals are too large' });
  return { lines, totals: totals ?? NO_TOTALS };
}

function priceLine(
  input: LineInput,
  index: number,
  products: ReadonlyMap<string, Product>,
  violations: Violation[],
): Line | undefined {
  const before = violations.length;
  const fault = (field: string, message: string): void => {
    violations.push({ path: `/lines/${index}${field}`, message });
  };

  const product = input.productId === undefined ? undefined : products.get(input.productId);
  if (input.productId !== undefined && !product) fault('/productId', 'is not a product of this organisation');

  const description = input.description?.trim() || product?.name || DEFAULT_DESCRIPTION;
  const textual = textMessage(description, { max: MAX_DESCRIPTION, multiline: true });
  if (textual) fault('/description', textual);

  const quantity = parseQuantity(input.quantity ?? '1');
  if (typeof quantity === 'string') fault('/quantity', quantity);

  const unitPriceCents = input.unitPriceCents ?? product?.unitPriceCents;
  if (unitPriceCents === undefined) {
    // A product that is not there was said already.
    if (input.productId === undefined) fault('/unitPriceCents', 'is required without a product');
  } else if (!Number.isSafeInteger(unitPriceCents)) {
    fault('/unitPriceCents', 'must be a whole number of cents of at most 2^53 - 1');
  }

  const vatTreatment = input.vatTreatment ?? treatmentOfProduct(product);
  if (!vatTreatment) fault('/vatTreatment', "is required: the product's rate is none of ours");
  if (vatTreatment === 'unknown') fault('/vatTreatment', `must be one of ${vatTreatments.join(', ')}`);

  if (violations.length > before || typeof quantity === 'string' || unitPriceCents === undefined) return undefined;
  if (!vatTreatment || vatTreatment === 'unknown') return undefined;
  const net = netCents(quantity, unitPriceCents);
  if (!isSafeAmount(net)) {
    fault('', 'quantity × unit price is too large');
    return undefined;
  }
  return {
    description,
    quantity: formatQuantity(quantity),
    unitPriceCents,
    vatTreatment,
    productId: product?.id ?? null,
    netCents: Number(net),
    unit: product?.unit ?? '',
  };
}

const treatmentOfProduct = (product: Product | undefined): VatTreatment | undefined =>
  product?.vatRateBps === undefined ? 'standard_21' : treatmentOfRate(product.vatRateBps);
