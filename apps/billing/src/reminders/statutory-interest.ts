import { Temporal } from 'temporal-polyfill';

/** A yearly rate from a day on, until the next of its kind. */
export interface InterestRate {
  /** consumer: art. 6:119 BW; business: art. 6:119a BW, trade between businesses. */
  readonly kind: 'consumer' | 'business';
  /** YYYY-MM-DD. */
  readonly from: string;
  /** Basis points a year. */
  readonly bps: number;
}

/**
 * Dutch statutory interest. Sources: consumers, Besluit vaststelling wettelijke rente as amended; trade, art. 6:120 lid 2 BW: the ECB's rate
 * for main refinancing operations on the first day of the half-year (2.15 % on 2026-01-01, 2.40 % on 2026-07-01), plus eight points. Taken
 * from public tables that say they were compared with rijksoverheid.nl in September 2026, not from that page itself. An organisation's own rates go before these, so that a new one needs no release.
 */
export const STATUTORY_RATES: readonly InterestRate[] = [
  { kind: 'consumer', from: '2015-01-01', bps: 200 },
  { kind: 'consumer', from: '2023-01-01', bps: 400 },
  { kind: 'consumer', from: '2023-07-01', bps: 600 },
  { kind: 'consumer', from: '2024-01-01', bps: 700 },
  { kind: 'consumer', from: '2025-01-01', bps: 600 },
  { kind: 'consumer', from: '2026-01-01', bps: 400 },
  { kind: 'business', from: '2016-07-01', bps: 800 },
  { kind: 'business', from: '2023-01-01', bps: 1_050 },
  { kind: 'business', from: '2023-07-01', bps: 1_200 },
  { kind: 'business', from: '2024-01-01', bps: 1_250 },
  { kind: 'business', from: '2024-07-01', bps: 1_225 },
  { kind: 'business', from: '2025-01-01', bps: 1_115 },
  { kind: 'business', from: '2025-07-01', bps: 1_015 },
  { kind: 'business', from: '2026-07-01', bps: 1_040 },
];

/** Either may change with each half-year: from this day on it is not known here, and nothing is guessed. */
const UNKNOWN_FROM = '2027-01-01';
const KINDS = ['consumer', 'business'] as const;

/** What to tell whoever asks for interest on a day whose rate is not known: a sentence for each kind; none when all is known. */
export function unknownRates(today: string, own: readonly InterestRate[]): string[] {
  return KINDS.filter((kind) => today >= UNKNOWN_FROM && !own.some((each) => each.kind === kind && isKnown(each))).map(
    (kind) =>
      `the statutory interest rate of ${kind === 'consumer' ? 'consumers' : 'trade between businesses'} from ${UNKNOWN_FROM} on is not known here: ` +
      `no interest is asked for those days until it is given as a rate (${kind}:${UNKNOWN_FROM}:BASIS_POINTS)`,
  );
}

const isKnown = ({ from }: InterestRate): boolean => from >= UNKNOWN_FROM;

interface Claim {
  readonly kind: InterestRate['kind'];
  /** YYYY-MM-DD: the day it was to be paid by. */
  readonly dueDate: string;
  /** YYYY-MM-DD: up to and with this day. */
  readonly until: string;
}

/** What was open, from a day on. */
export interface OpenSince {
  readonly from: string;
  readonly openCents: number;
}

/**
 * Interest of a claim in cents: each day after its due date at that day's rate on what was open then, a year of 365 days; at the end of every
 * year it is added to what it is reckoned on (art. 6:119 lid 2 BW). Days whose rate is not known earn nothing. Rounded down once a year, in the
 * debtor's favour.
 */
export function interestCents(
  { kind, dueDate, until }: Claim,
  open: readonly OpenSince[],
  own: readonly InterestRate[] = [],
): number {
  const rates = ratesOf(kind, own);
  let earned = 0;
  let ofYear = 0;
  let years = 1;
  const begin = Temporal.PlainDate.from(dueDate);
  const last = Temporal.PlainDate.from(until);
  let day = begin.add({ days: 1 });
  let anniversary = begin.add({ years: 1 });
  while (Temporal.PlainDate.compare(day, last) <= 0) {
    // To the next day on which anything changes.
    const changes = [anniversary.add({ days: 1 }), last.add({ days: 1 })];
    for (const { from } of [...rates, ...open]) changes.push(Temporal.PlainDate.from(from));
    const next = changes
      .filter((each) => Temporal.PlainDate.compare(each, day) > 0)
      .sort(Temporal.PlainDate.compare)[0]!;
    const days = day.until(next).days;
    const date = day.toString();
    const owed = open.findLast(({ from }) => from <= date)?.openCents ?? 0;
    const bps = rates.findLast(({ from }) => from <= date)?.bps ?? 0;
    // What nobody owes any more earns nothing, nor does its interest.
    ofYear += owed > 0 ? ((owed + earned) * bps * days) / (365 * 10_000) : 0;
    if (Temporal.PlainDate.compare(next, anniversary) > 0) {
      earned += Math.floor(ofYear);
      ofYear = 0;
      years += 1;
      anniversary = begin.add({ years });
    }
    day = next;
  }
  return earned + Math.floor(ofYear);
}

function ratesOf(kind: InterestRate['kind'], own: readonly InterestRate[]): InterestRate[] {
  const byDay = new Map(STATUTORY_RATES.filter((each) => each.kind === kind).map((each) => [each.from, each]));
  byDay.set(UNKNOWN_FROM, { kind, from: UNKNOWN_FROM, bps: 0 });
  for (const each of own) if (each.kind === kind) byDay.set(each.from, each);
  return [...byDay.values()].sort((a, b) => (a.from < b.from ? -1 : 1));
}
