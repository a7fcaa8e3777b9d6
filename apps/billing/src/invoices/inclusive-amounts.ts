import type { RoundingTrace, Totals, VatGroup, VatTreatment } from './invoice';
import { isSafeAmount, roundedQuotient, vatRateBps, vatTreatments } from './totals';

/** A line whose amount includes VAT. */
export interface InclusiveLine {
  readonly vatTreatment: VatTreatment;
  readonly grossCents: number;
}

export interface InclusiveAmounts {
  /** Excluding VAT, in the order of the lines; of each treatment they add up to its base. */
  readonly nets: readonly number[];
  readonly totals: Totals;
  readonly trace: readonly RoundingTrace[];
}

/**
 * Amounts of lines whose prices include VAT: the total is the sum of what was asked, to the cent. Of each treatment the VAT is taken out of
 * the sum, rounded once; the lines share the rest. Answers undefined when a result passes 2^53 − 1.
 */
export function inclusiveAmounts(lines: readonly InclusiveLine[]): InclusiveAmounts | undefined {
  const groups: VatGroup[] = [];
  const trace: RoundingTrace[] = [];
  const nets = lines.map(() => 0);
  for (const vatTreatment of vatTreatments) {
    const own = [...lines.entries()].filter(([, line]) => line.vatTreatment === vatTreatment);
    if (own.length === 0) continue;
    const rateBps = vatRateBps[vatTreatment];
    const gross = sum(own.map(([, line]) => BigInt(line.grossCents)));
    const vat = vatWithin(gross, rateBps);
    if (!isSafeAmount(gross) || !isSafeAmount(vat)) return undefined;
    const group = { vatTreatment, rateBps, baseCents: Number(gross - vat), vatCents: Number(vat) };
    const shares = netShares(
      own.map(([, line]) => line.grossCents),
      rateBps,
      group.baseCents,
    );
    own.forEach(([index], at) => (nets[index] = shares[at]!));
    groups.push(group);
    trace.push(traceOf(group));
  }
  const excl = sum(groups.map(({ baseCents }) => BigInt(baseCents)));
  const vat = sum(groups.map(({ vatCents }) => BigInt(vatCents)));
  if (![excl, vat, excl + vat].every(isSafeAmount)) return undefined;
  const totals = { exclCents: Number(excl), vatCents: Number(vat), inclCents: Number(excl + vat), groups };
  return { nets, totals, trace };
}

/** How the amounts of a group came out of its sum including VAT. */
export function traceOf({ vatTreatment, rateBps, baseCents, vatCents }: VatGroup): RoundingTrace {
  const vatOfBase = roundedQuotient(BigInt(baseCents) * BigInt(rateBps), 10_000n);
  const grossCents = baseCents + vatCents;
  return { vatTreatment, rateBps, grossCents, baseCents, vatCents, differenceCents: vatCents - Number(vatOfBase) };
}

/** The VAT that an amount including it holds. */
const vatWithin = (gross: bigint, rateBps: number): bigint =>
  roundedQuotient(gross * BigInt(rateBps), BigInt(10_000 + rateBps));

/** Amounts including VAT of one rate as amounts without it, in whole cents that add up to the base, by largest remainder. */
export function netShares(grossCents: readonly number[], rateBps: number, baseCents: number): number[] {
  const divisor = BigInt(10_000 + rateBps);
  const exact = grossCents.map((gross) => BigInt(gross) * 10_000n);
  const floors = exact.map((each) => floorQuotient(each, divisor));
  const shares = floors.map(Number);
  const byRemainder = exact
    .map((each, index) => ({ index, remainder: each - floors[index]! * divisor }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  // Of a credit note's part both sides are differences of rounded sums: there can be a cent less than the floors, too.
  let missing = baseCents - Number(sum(floors));
  for (let at = 0; missing > 0; at = (at + 1) % shares.length, missing--) shares[byRemainder[at]!.index]! += 1;
  for (let at = shares.length - 1; missing < 0; at = at > 0 ? at - 1 : shares.length - 1, missing++)
    shares[byRemainder[at]!.index]! -= 1;
  return shares;
}

const floorQuotient = (a: bigint, b: bigint): bigint => (a % b !== 0n && a < 0n ? a / b - 1n : a / b);

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n);
