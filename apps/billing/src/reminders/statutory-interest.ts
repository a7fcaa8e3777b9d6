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
 * Dutch statutory interest. Consumers: Besluit vaststelling wettelijke rente, as amended by each royal decree. Trade: art. 6:120 lid 2 BW, the
 * ECB's rate for main refinancing operations on the first day of the half-year, plus eight points. Beside each, where it was read in November
 * 2026: rijksoverheid.nl itself only as it stood before 2023, else whoever reports it, and the ECB's own rate as a second witness. An
 * organisation's own rates go before these, so that a new one needs no release.
 */
export const STATUTORY_RATES: readonly InterestRate[] = [
  // rijksoverheid.nl (2.00 %); from 3 % by decision of the cabinet: findinet.nl, boogaardadvocaten.nl.
  { kind: 'consumer', from: '2015-01-01', bps: 200 },
  // Royal decree of 15 December 2022: abenslag.nl, fieldfisher.com.
  { kind: 'consumer', from: '2023-01-01', bps: 400 },
  // watsonlaw.nl, debloggendeadvocaat.nl.
  { kind: 'consumer', from: '2023-07-01', bps: 600 },
  // Stb. 2023, 484: feitsmaverhagen.nl, e-justice.europa.eu.
  { kind: 'consumer', from: '2024-01-01', bps: 700 },
  // Royal decree of 10 December 2024: wieringa-advocaten.nl, vvoadvocatuur.nl.
  { kind: 'consumer', from: '2025-01-01', bps: 600 },
  // dutch-law.com. Kept on 2026-07-01: the ECB's 2.15 % of the end of April plus 2.25 points makes 4 whole points.
  { kind: 'consumer', from: '2026-01-01', bps: 400 },
  // rijksoverheid.nl (8.00 %); 8.05 % until then: rechtnet.nl. ECB 0.00 %.
  { kind: 'business', from: '2016-07-01', bps: 800 },
  // abenslag.nl, fieldfisher.com. ECB 2.50 %.
  { kind: 'business', from: '2023-01-01', bps: 1_050 },
  // watsonlaw.nl, debloggendeadvocaat.nl. ECB 4.00 %.
  { kind: 'business', from: '2023-07-01', bps: 1_200 },
  // e-justice.europa.eu, wieringa-advocaten.nl. ECB 4.50 %.
  { kind: 'business', from: '2024-01-01', bps: 1_250 },
  // metaalunie.nl. ECB 4.25 %.
  { kind: 'business', from: '2024-07-01', bps: 1_225 },
  // wieringa-advocaten.nl, vvoadvocatuur.nl. ECB 3.15 %.
  { kind: 'business', from: '2025-01-01', bps: 1_115 },
  // ECB 2.15 % since 11 June 2025; dutch-law.com names 10.15 % for 1 January 2026, where it is unchanged.
  { kind: 'business', from: '2025-07-01', bps: 1_015 },
  // ECB 2.40 %, and the rate itself, by one public table alone.
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
