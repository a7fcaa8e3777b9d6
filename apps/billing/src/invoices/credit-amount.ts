import { refused, valid, validUnless, type Checked } from '@invoicing/errors';
import type { Credit } from './credit-note';
import { traceOf } from './inclusive-amounts';
import type { Line, Totals, VatGroup } from './invoice';
import type { IssuedInvoice } from './issued-invoice';
import { roundedQuotient, vatRateBps } from './totals';

type Original = Pick<IssuedInvoice, 'lines' | 'totals' | 'language' | 'pricesIncludeVat'>;
type Earlier = readonly Pick<IssuedInvoice, 'totals'>[];

const WORDS = {
  nl: 'Gecrediteerd bedrag',
  en: 'Amount credited',
  de: 'Gutgeschriebener Betrag',
  fr: 'Montant de l’avoir',
} as const;
/** What of each VAT rate of an invoice no credit note has given back yet. */
export const groupsLeft = (original: Pick<IssuedInvoice, 'totals'>, earlier: Earlier): VatGroup[] =>
  original.totals.groups.map((group) => {
    const given = earlier.flatMap(({ totals }) => totals.groups.filter((each) => isSameRate(each, group)));
    return {
      ...group,
      baseCents: group.baseCents - sum(given.map(({ baseCents }) => baseCents)),
      vatCents: group.vatCents - sum(given.map(({ vatCents }) => vatCents)),
    };
  });

/**
 * A credit of a sum including VAT, in a line a rate: shared out over what is left of the rates, by largest remainder, so that it comes to
 * the sum exactly, gives back of no rate more than is left, and all credit notes of an invoice together can come to it exactly.
 */
export function creditOfAmount(original: Original, earlier: Earlier, amountCents: number): Checked<Credit> {
  const left = groupsLeft(original, earlier);
  const most = sum(left.map(grossOf));
  if (!Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > most) {
    const message = most > 0 ? `must be whole cents from 1 to what is left: ${most}` : 'everything is credited already';
    return refused({ path: '/amountCents', message });
  }
  const shares = sharesOf(amountCents, left.map(grossOf), most);
  const groups = left.flatMap((group, index) => (shares[index] === 0 ? [] : [partOf(group, shares[index]!)]));
  const { pricesIncludeVat } = original;
  const lines = groups.map((group): Line => ({
    description: WORDS[original.language],
    quantity: '1',
    unitPriceCents: pricesIncludeVat ? grossOf(group) : group.baseCents,
    vatTreatment: group.vatTreatment,
    productId: null,
    netCents: group.baseCents,
    unit: '',
    ...(pricesIncludeVat && { grossCents: grossOf(group) }),
  }));
  const trace = pricesIncludeVat && { roundingTrace: groups.map(traceOf) };
  return valid({ creditedLines: [], lines, totals: totalsOfGroups(groups), ...trace });
}

/** Everything that is left, in a line a rate: what lines with quantities cannot say any more. */
export function creditOfRest(original: Original, earlier: Earlier): Checked<Credit> {
  const rest = sum(groupsLeft(original, earlier).map(grossOf));
  if (rest > 0) return creditOfAmount(original, earlier, rest);
  return refused({ path: '/lines', message: 'everything is credited already' });
}

/** A credit by lines that gives back of no rate more than credits of sums have left. */
export function withinLeft(credit: Credit, original: Original, earlier: Earlier): Checked<Credit> {
  const left = groupsLeft(original, earlier);
  const isWithin = (part: number, whole: number): boolean =>
    part === 0 || (Math.sign(part) === Math.sign(whole) && Math.abs(part) <= Math.abs(whole));
  const violations = credit.totals.groups.flatMap((group) => {
    const rest = left.find((each) => isSameRate(each, group));
    if (rest && isWithin(group.baseCents, rest.baseCents) && isWithin(group.vatCents, rest.vatCents)) return [];
    const most = rest ? grossOf(rest) : 0;
    return [{ path: '/lines', message: `of ${group.vatTreatment} only ${most} is left after what was credited` }];
  });
  return validUnless(violations, () => credit);
}

/** Whole cents in proportion to the weights, exactly adding up to the amount. */
function sharesOf(amountCents: number, weights: readonly number[], total: number): number[] {
  const exact = weights.map((weight) => BigInt(amountCents) * BigInt(weight));
  const floors = exact.map((each) => floorDiv(each, BigInt(total)));
  const shares = floors.map(Number);
  const missing = amountCents - sum(shares);
  const byRemainder = exact
    .map((each, index) => ({ index, remainder: each - floors[index]! * BigInt(total) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder.slice(0, missing)) shares[index]! += 1;
  return shares;
}

const floorDiv = (a: bigint, b: bigint): bigint => (a % b !== 0n && a < 0n ? a / b - 1n : a / b);

/** Base and VAT of a gross amount; the last of a rate takes exactly what is left of both. */
function partOf(left: VatGroup, grossCents: number): VatGroup {
  if (grossCents === grossOf(left)) return left;
  const bps = vatRateBps[left.vatTreatment];
  const derived = Number(roundedQuotient(BigInt(grossCents) * BigInt(bps), BigInt(10_000 + bps)));
  // Rounding never gives back more VAT, or more of the base, than is left.
  const vatCents = between(left.vatCents, grossCents - left.baseCents, derived);
  return { ...left, baseCents: grossCents - vatCents, vatCents };
}

/** The value, moved between two bounds in whichever order. */
const between = (a: number, b: number, value: number): number =>
  Math.min(Math.max(value, Math.min(a, b)), Math.max(a, b));

function totalsOfGroups(groups: readonly VatGroup[]): Totals {
  const exclCents = sum(groups.map(({ baseCents }) => baseCents));
  const vatCents = sum(groups.map((group) => group.vatCents));
  return { exclCents, vatCents, inclCents: exclCents + vatCents, groups };
}

export const grossOf = ({ baseCents, vatCents }: VatGroup): number => baseCents + vatCents;

const isSameRate = (a: VatGroup, b: VatGroup): boolean => a.vatTreatment === b.vatTreatment && a.rateBps === b.rateBps;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
