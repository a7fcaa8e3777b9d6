/** A line of a stored document. */
export interface StoredLine {
  /** Decimal text. */
  readonly quantity: string;
  readonly unitPriceCents: number;
  readonly vatTreatment: string;
}

/** Sums of a document, in cents. */
export interface Sums {
  readonly exclCents: number;
  readonly vatCents: number;
  readonly inclCents: number;
}

const RATE_BPS: Readonly<Record<string, bigint>> = { standard_21: 2_100n, reduced_9: 900n };

/** n / d rounded half away from zero (docs/domain.md, written down once more so that it can differ from the code that it checks). */
const rounded = (n: bigint, d: bigint): bigint => {
  const [size, sign] = n < 0n ? [-n, -1n] : [n, 1n];
  return sign * ((2n * size + d) / (2n * d));
};

/** What a document's lines come to. `incl`: prices include VAT. */
export function sumsOf(lines: readonly StoredLine[], incl: boolean): Sums {
  const groups = new Map<bigint, bigint>();
  for (const { quantity, unitPriceCents, vatTreatment } of lines) {
    const [whole = '0', decimals = ''] = quantity.split('.');
    const amount = rounded(BigInt(whole + decimals) * BigInt(unitPriceCents), 10n ** BigInt(decimals.length));
    // Every treatment without VAT adds nothing: they may share a group here.
    const rate = RATE_BPS[vatTreatment] ?? 0n;
    groups.set(rate, (groups.get(rate) ?? 0n) + amount);
  }
  let [excl, vat] = [0n, 0n];
  for (const [rate, sum] of groups) {
    const vatOfGroup = incl ? rounded(sum * rate, 10_000n + rate) : rounded(sum * rate, 10_000n);
    vat += vatOfGroup;
    excl += incl ? sum - vatOfGroup : sum;
  }
  return { exclCents: Number(excl), vatCents: Number(vat), inclCents: Number(excl + vat) };
}
