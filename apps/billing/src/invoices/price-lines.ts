import { allValid, everyValid, faultless, refused, valid, type Checked } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';
import { inclusiveAmounts } from './inclusive-amounts';
import type { Line, RoundingTrace, Totals, VatTreatment } from './invoice';
import { formatQuantity, parseQuantity, type Decimal } from './quantity';
import { isSafeAmount, lineCents, totalsOf, treatmentOfRate, vatTreatments } from './totals';

/** A line as a caller asks for it; what it leaves out comes from its product. */
export interface LineInput {
  readonly description?: string | undefined;
  readonly quantity?: string | undefined;
  readonly unitPriceCents?: number | undefined;
  readonly vatTreatment?: VatTreatment | 'unknown' | undefined;
  readonly productId?: string | undefined;
  /** Instead of the product's. */
  readonly unit?: string | undefined;
  /** Basis points, 0–10000. */
  readonly discountBps?: number | undefined;
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
  /** Only where prices include VAT. */
  readonly roundingTrace: readonly RoundingTrace[] | null;
}

const MAX_LINES = 500;
const MAX_DESCRIPTION = 2_000;
const MAX_UNIT = 30;
const WHOLE_BPS = 10_000;
const DEFAULT_DESCRIPTION = 'Regel';

/** Fills the lines in and adds them up. What is wrong has a JSON Pointer into the body. */
export function priceLines(
  inputs: readonly LineInput[],
  products: ReadonlyMap<string, Product>,
  pricesIncludeVat = false,
): Checked<Priced> {
  if (inputs.length < 1 || inputs.length > MAX_LINES) {
    return refused({ path: '/lines', message: `must have 1 to ${MAX_LINES} lines` });
  }
  const lines = everyValid(inputs.map((input, index) => priceLine(input, `/lines/${index}`, products)));
  if (lines.violations) return lines;
  const priced = pricesIncludeVat ? inclusive(lines.value) : exclusive(lines.value);
  return priced ? valid(priced) : refused({ path: '/lines', message: 'the totals are too large' });
}

/** A line with everything filled in but what depends on the others: its amount in the terms of its price. */
type AmountedLine = Omit<Line, 'netCents' | 'grossCents'> & { readonly amountCents: number };

function exclusive(amounted: readonly AmountedLine[]): Priced | undefined {
  const lines = amounted.map(({ amountCents, ...line }) => ({ ...line, netCents: amountCents }));
  const totals = totalsOf(lines);
  return totals && { lines, totals, roundingTrace: null };
}

function inclusive(amounted: readonly AmountedLine[]): Priced | undefined {
  const gross = amounted.map(({ amountCents, ...line }) => ({ ...line, grossCents: amountCents }));
  const amounts = inclusiveAmounts(gross);
  if (!amounts) return undefined;
  const lines = gross.map((line, index) => ({ ...line, netCents: amounts.nets[index]! }));
  return { lines, totals: amounts.totals, roundingTrace: amounts.trace };
}

function priceLine(input: LineInput, at: string, products: ReadonlyMap<string, Product>): Checked<AmountedLine> {
  const product = productOf(input, at, products);
  const description = input.description?.trim() || product.value?.name || DEFAULT_DESCRIPTION;
  const checked = allValid({
    product,
    description: faultless(
      description,
      `${at}/description`,
      textMessage(description, { max: MAX_DESCRIPTION, multiline: true }),
    ),
    quantity: quantityOf(input, at),
    unitPriceCents: unitPriceOf(input, at, product),
    vatTreatment: vatTreatmentOf(input, at, product.value),
    unit: unitOf(input, at, product.value),
    discountBps: discountOf(input, at),
  });
  if (checked.violations) return checked;
  const { quantity, unitPriceCents, vatTreatment, unit, discountBps } = checked.value;
  const amount = lineCents(quantity, unitPriceCents, discountBps);
  if (!isSafeAmount(amount)) return refused({ path: at, message: 'quantity × unit price is too large' });
  return valid({
    description,
    quantity: formatQuantity(quantity),
    unitPriceCents,
    vatTreatment,
    productId: product.value?.id ?? null,
    amountCents: Number(amount),
    unit,
    // Absent, not 0: such a line is sealed as it always was.
    ...(discountBps > 0 && { discountBps }),
  });
}

function productOf(
  { productId }: LineInput,
  at: string,
  products: ReadonlyMap<string, Product>,
): Checked<Product | undefined> {
  const product = productId === undefined ? undefined : products.get(productId);
  const isMissing = productId !== undefined && !product;
  return faultless(product, `${at}/productId`, isMissing ? 'is not a product of this organisation' : undefined);
}

function quantityOf({ quantity }: LineInput, at: string): Checked<Decimal> {
  const parsed = parseQuantity(quantity ?? '1');
  return typeof parsed === 'string' ? refused({ path: `${at}/quantity`, message: parsed }) : valid(parsed);
}

function unitPriceOf(input: LineInput, at: string, product: Checked<Product | undefined>): Checked<number> {
  const path = `${at}/unitPriceCents`;
  const cents = input.unitPriceCents ?? product.value?.unitPriceCents;
  if (cents !== undefined) {
    const isWhole = Number.isSafeInteger(cents);
    return faultless(cents, path, isWhole ? undefined : 'must be a whole number of cents of at most 2^53 - 1');
  }
  // A product that is not there is said already.
  return product.violations ? refused() : refused({ path, message: 'is required without a product' });
}

function unitOf({ unit }: LineInput, at: string, product: Product | undefined): Checked<string> {
  if (unit === undefined) return valid(product?.unit ?? '');
  const said = unit.trim();
  return faultless(said, `${at}/unit`, textMessage(said, { max: MAX_UNIT }));
}

function discountOf({ discountBps = 0 }: LineInput, at: string): Checked<number> {
  const fits = Number.isInteger(discountBps) && discountBps >= 0 && discountBps <= WHOLE_BPS;
  return faultless(
    discountBps,
    `${at}/discountBps`,
    fits ? undefined : `must be whole basis points from 0 to ${WHOLE_BPS}`,
  );
}

function vatTreatmentOf(input: LineInput, at: string, product: Product | undefined): Checked<VatTreatment> {
  const path = `${at}/vatTreatment`;
  const vatTreatment = input.vatTreatment ?? treatmentOfProduct(product);
  if (!vatTreatment) return refused({ path, message: "is required: the product's rate is none of ours" });
  if (vatTreatment !== 'unknown') return valid(vatTreatment);
  return refused({ path, message: `must be one of ${vatTreatments.join(', ')}` });
}

const treatmentOfProduct = (product: Product | undefined): VatTreatment | undefined =>
  product?.vatRateBps === undefined ? 'standard_21' : treatmentOfRate(product.vatRateBps);
