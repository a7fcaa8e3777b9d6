/** Steps of the scale, in cents: so much of the claim, at so many basis points. */
const SCALE = [
  { upTo: 250_000, bps: 1_500 },
  { upTo: 500_000, bps: 1_000 },
  { upTo: 1_000_000, bps: 500 },
  { upTo: 20_000_000, bps: 100 },
  { upTo: Number.MAX_SAFE_INTEGER, bps: 50 },
] as const;
const LEAST_CENTS = 4_000;
const MOST_CENTS = 677_500;

/**
 * Dutch statutory collection costs of a claim, in cents without VAT: 15 % of the first 2,500 euros, 10 % of the next 2,500, 5 % of the next
 * 5,000, 1 % of the next 190,000, 0.5 % of the rest; at least 40, at most 6,775 euros. Rounded down once, in the debtor's favour.
 * Source: Besluit vergoeding voor buitengerechtelijke incassokosten (WIK), art. 2; art. 6:96 BW.
 */
export function collectionCosts(claimCents: number): number {
  if (claimCents <= 0) return 0;
  let from = 0;
  // Cents times basis points of a sum near the limit are beyond what numbers hold exactly.
  let parts = 0n;
  for (const { upTo, bps } of SCALE) {
    const within = Math.max(0, Math.min(claimCents, upTo) - from);
    parts += BigInt(within) * BigInt(bps);
    from = upTo;
  }
  return Math.min(MOST_CENTS, Math.max(LEAST_CENTS, Number(parts / 10_000n)));
}
