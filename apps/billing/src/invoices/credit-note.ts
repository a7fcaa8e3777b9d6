import { refused, valid, validUnless, type Checked, type Violation } from '@invoicing/errors';
import { inclusiveAmounts, netShares, traceOf } from './inclusive-amounts';
import type { FrozenInvoice, Line, RoundingTrace, Totals, VatGroup } from './invoice';
import type { CreditedLine, IssuedInvoice } from './issued-invoice';
import { formatQuantity, parseQuantity, subtractQuantities, type Decimal } from './quantity';
import { lineCents, totalsOf } from './totals';

/** What is asked to be credited: a line of the original by its place from 0, and how much; absent: all that is left. */
export interface CreditAsk {
  readonly line: number;
  readonly quantity?: string | undefined;
}

export interface Credit {
  readonly creditedLines: readonly CreditedLine[];
  readonly lines: readonly Line[];
  readonly totals: Totals;
  /** Only where prices include VAT. */
  readonly roundingTrace?: readonly RoundingTrace[];
}

const ZERO: Decimal = { coefficient: 0n, scale: 0 };
const EMPTY: Totals = { exclCents: 0, vatCents: 0, inclCents: 0, groups: [] };

/**
 * What a credit note gives back, after earlier ones. Its amounts are the difference of two exact sums, what is credited after it and
 * before it, so that credit notes for all of an invoice come to the invoice exactly, however it is divided.
 */
export function creditOf(
  original: Pick<IssuedInvoice, 'lines' | 'pricesIncludeVat'>,
  earlier: readonly Pick<IssuedInvoice, 'creditedLines'>[],
  asked: readonly CreditAsk[],
): Checked<Credit> {
  const before = original.lines.map(() => ZERO);
  for (const { line, quantity } of earlier.flatMap((note) => note.creditedLines)) {
    before[line] = add(before[line]!, decimal(quantity));
  }
  const left = original.lines.map((line, index) => subtractQuantities(decimal(line.quantity), before[index]!));
  const now = chooseQuantities(left, asked);
  if (now.violations) return now;

  const creditedLines: CreditedLine[] = [];
  const lines: Line[] = [];
  const after = [...before];
  for (const [index, quantity] of [...now.value].sort(([a], [b]) => a - b)) {
    const line = original.lines[index]!;
    after[index] = add(before[index]!, quantity);
    const amount = amountOf(line, after[index]) - amountOf(line, before[index]!);
    creditedLines.push({ line: index, quantity: formatQuantity(quantity) });
    lines.push({ ...line, quantity: formatQuantity(quantity), netCents: amount });
  }
  const totals = difference(sumOf(original, after), sumOf(original, before), lines);
  return valid({ creditedLines, ...(original.pricesIncludeVat ? inclusive(lines, totals) : { lines, totals }) });
}

/** The amounts of the lines include VAT: without it they share what the totals give back. */
function inclusive(gross: readonly Line[], totals: Totals): Omit<Credit, 'creditedLines'> {
  const lines = gross.map((line): Line => ({ ...line, grossCents: line.netCents }));
  for (const { vatTreatment, rateBps, baseCents } of totals.groups) {
    const own = [...lines.entries()].filter(([, line]) => line.vatTreatment === vatTreatment);
    const nets = netShares(
      own.map(([, { netCents }]) => netCents),
      rateBps,
      baseCents,
    );
    own.forEach(([index, line], at) => (lines[index] = { ...line, netCents: nets[at]! }));
  }
  return { lines, totals, roundingTrace: totals.groups.map(traceOf) };
}

const amountOf = ({ unitPriceCents, discountBps }: Line, quantity: Decimal): number =>
  Number(lineCents(quantity, unitPriceCents, discountBps));

function chooseQuantities(
  left: readonly Decimal[],
  asked: readonly CreditAsk[],
): Checked<ReadonlyMap<number, Decimal>> {
  const isLeft = (quantity: Decimal | undefined): boolean => quantity !== undefined && quantity.coefficient !== 0n;
  if (asked.length === 0) {
    if (!left.some(isLeft)) return refused({ path: '/lines', message: 'everything is credited already' });
    return valid(new Map([...left.entries()].filter(([, quantity]) => isLeft(quantity))));
  }
  const violations: Violation[] = [];
  const chosen = new Map<number, Decimal>();
  asked.forEach(({ line, quantity: text }, index) => {
    const fault = (field: string, message: string): void => {
      violations.push({ path: `/lines/${index}/${field}`, message });
    };
    const rest = left[line];
    if (rest === undefined) return fault('line', 'is not a line of the invoice');
    if (chosen.has(line)) return fault('line', 'is named twice');
    const quantity = text === undefined ? rest : parseQuantity(text);
    if (typeof quantity === 'string') return fault('quantity', quantity);
    if (!isLeft(rest)) return fault('line', 'is credited already');
    const remains = subtractQuantities(rest, quantity).coefficient;
    const sign = rest.coefficient > 0n ? 1n : -1n;
    if (quantity.coefficient * sign <= 0n || remains * sign < 0n) {
      return fault('quantity', `must be of the original's sign and at most ${formatQuantity(rest)}`);
    }
    chosen.set(line, quantity);
  });
  return validUnless(violations, () => chosen);
}

/** Parts of an invoice that fits: never too large. A treatment of which nothing is credited sums to nothing. */
function sumOf(
  { lines, pricesIncludeVat }: Pick<FrozenInvoice, 'lines' | 'pricesIncludeVat'>,
  quantities: readonly Decimal[],
): Totals {
  const amounts = lines.map((line, index) => amountOf(line, quantities[index]!));
  const parts = lines.map(({ vatTreatment }, index) => ({
    vatTreatment,
    netCents: amounts[index]!,
    grossCents: amounts[index]!,
  }));
  return (pricesIncludeVat ? inclusiveAmounts(parts)?.totals : totalsOf(parts)) ?? EMPTY;
}

function difference(after: Totals, before: Totals, lines: readonly Line[]): Totals {
  const groups = after.groups.flatMap((group, index): VatGroup[] => {
    const earlier = before.groups[index]!;
    if (!lines.some((line) => line.vatTreatment === group.vatTreatment)) return [];
    return [
      {
        ...group,
        baseCents: group.baseCents - earlier.baseCents,
        vatCents: group.vatCents - earlier.vatCents,
      },
    ];
  });
  return {
    exclCents: after.exclCents - before.exclCents,
    vatCents: after.vatCents - before.vatCents,
    inclCents: after.inclCents - before.inclCents,
    groups,
  };
}

const add = (a: Decimal, b: Decimal): Decimal => subtractQuantities(a, { coefficient: -b.coefficient, scale: b.scale });

/** A quantity that was checked when it was stored. */
function decimal(text: string): Decimal {
  const parsed = parseQuantity(text);
  if (typeof parsed === 'string') throw new Error(`stored quantity ${text}: ${parsed}`);
  return parsed;
}
