import type { Totals, VatGroup, VatTreatment } from './invoice';
import type { Decimal } from './quantity';

/** In the order of the contract; what a treatment charges, in basis points. */
export const vatRateBps: Readonly<Record<VatTreatment, number>> = {
  standard_21: 2100,
  reduced_9: 900,
  zero: 0,
  exempt: 0,
  reverse_charge: 0,
  intra_community: 0,
};

export const vatTreatments = Object.keys(vatRateBps) as readonly VatTreatment[];

const treatmentByRate: Readonly<Record<number, VatTreatment>> = { 2100: 'standard_21', 900: 'reduced_9', 0: 'zero' };

/** A product's rate as a treatment; undefined for a rate that has none. */
export const treatmentOfRate = (bps: number): VatTreatment | undefined => treatmentByRate[bps];

/** n / d rounded half away from zero; d > 0. */
export function roundedQuotient(n: bigint, d: bigint): bigint {
  const magnitude = n < 0n ? -n : n;
  const rounded = (2n * magnitude + d) / (2n * d);
  return n < 0n ? -rounded : rounded;
}

/** Quantity × unit price in whole cents. */
export const netCents = (quantity: Decimal, unitPriceCents: number): bigint =>
  roundedQuotient(quantity.coefficient * BigInt(unitPriceCents), 10n ** BigInt(quantity.scale));

const WHOLE_BPS = 10_000;

/** Quantity × unit price less a discount in basis points, rounded once to whole cents; netCents when there is none. */
export const lineCents = (quantity: Decimal, unitPriceCents: number, discountBps = 0): bigint =>
  roundedQuotient(
    quantity.coefficient * BigInt(unitPriceCents) * BigInt(WHOLE_BPS - discountBps),
    10n ** BigInt(quantity.scale) * BigInt(WHOLE_BPS),
  );

const LIMIT = BigInt(Number.MAX_SAFE_INTEGER);

/** Whether an amount can leave the arithmetic: ±(2^53 − 1). */
export const isSafeAmount = (cents: bigint): boolean => cents <= LIMIT && cents >= -LIMIT;

/** Sums of a document in bigint; VAT is rounded once a group (EN 16931 BR-CO-17). Answers undefined when a result passes 2^53 − 1. */
export function totalsOf(
  lines: readonly { readonly vatTreatment: VatTreatment; readonly netCents: number }[],
): Totals | undefined {
  const bases = new Map<VatTreatment, bigint>();
  for (const line of lines) {
    bases.set(line.vatTreatment, (bases.get(line.vatTreatment) ?? 0n) + BigInt(line.netCents));
  }
  let excl = 0n;
  let vat = 0n;
  const groups: VatGroup[] = [];
  for (const vatTreatment of vatTreatments) {
    const base = bases.get(vatTreatment);
    if (base === undefined) continue;
    const rateBps = vatRateBps[vatTreatment];
    const groupVat = roundedQuotient(base * BigInt(rateBps), 10_000n);
    if (!isSafeAmount(base) || !isSafeAmount(groupVat)) return undefined;
    excl += base;
    vat += groupVat;
    groups.push({ vatTreatment, rateBps, baseCents: Number(base), vatCents: Number(groupVat) });
  }
  if (![excl, vat, excl + vat].every(isSafeAmount)) return undefined;
  return { exclCents: Number(excl), vatCents: Number(vat), inclCents: Number(excl + vat), groups };
}
