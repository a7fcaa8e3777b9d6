import { seededRandom } from '@invoicing/testing';

/** What the nemesis can do. */
export const FAULTS = [
  'kill',
  'terminate',
  'pause',
  'broker lost',
  'mail down',
  'receiver down',
  'latency',
  'loss',
  'partition',
  'disk full',
  'clock skew',
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** One fault: when it begins after the start of the run, and how long it lasts. */
export interface Fault {
  readonly atMs: number;
  readonly forMs: number;
  readonly kind: FaultKind;
  /** A part for faults of processes, `from to` for faults of the network, empty for the others. */
  readonly target: string;
  /** Milliseconds of latency or of skew, chance of loss. */
  readonly amount: number;
}

/** What there is to break. */
export interface Surface {
  readonly replicas: readonly string[];
  readonly links: readonly string[];
}

const MIN_PAUSE_MS = 700;
const MAX_PAUSE_MS = 2_200;
// Longer would be past the time in which every request must have an answer.
const MAX_STOP_MS = 4_000;

/** All faults of a run of `ms`, in order: the same for the same seed. Every kind comes once before one comes twice. */
export function scheduleOf(seed: number, ms: number, { replicas, links }: Surface): Fault[] {
  const random = seededRandom(seed);
  const among = (from: number, to: number): number => Math.round(from + random() * (to - from));
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const make: Record<FaultKind, () => Omit<Fault, 'atMs' | 'kind'>> = {
    kill: () => ({ target: oneOf([...replicas, 'store', 'broker']), forMs: 0, amount: 0 }),
    terminate: () => ({ target: oneOf([...replicas, 'store']), forMs: 0, amount: 0 }),
    pause: () => ({ target: oneOf([...replicas, 'store', 'broker']), forMs: among(300, MAX_STOP_MS), amount: 0 }),
    'broker lost': () => ({ target: 'broker', forMs: 0, amount: 0 }),
    'mail down': () => ({ target: '', forMs: among(1_000, 6_000), amount: 0 }),
    'receiver down': () => ({ target: '', forMs: among(1_000, 6_000), amount: 0 }),
    latency: () => ({ target: oneOf(links), forMs: among(1_000, 6_000), amount: among(20, 400) }),
    loss: () => ({ target: oneOf(links), forMs: among(1_000, 6_000), amount: among(2, 20) / 100 }),
    partition: () => ({ target: oneOf(links), forMs: among(500, MAX_STOP_MS), amount: among(0, 1) }),
    'disk full': () => ({ target: 'store', forMs: among(500, 3_000), amount: 0 }),
    'clock skew': () => ({ target: oneOf(replicas), forMs: 0, amount: among(-20_000, 20_000) }),
  };
  const faults: Fault[] = [];
  let deck: FaultKind[] = [];
  for (let atMs = among(MIN_PAUSE_MS, MAX_PAUSE_MS); atMs < ms; atMs += among(MIN_PAUSE_MS, MAX_PAUSE_MS)) {
    if (deck.length === 0) deck = [...FAULTS];
    const [kind] = deck.splice(Math.floor(random() * deck.length), 1);
    const fault = make[kind!]();
    faults.push({ atMs, kind: kind!, ...fault, forMs: Math.min(fault.forMs, ms - atMs) });
  }
  return faults;
}

export const describeFault = ({ atMs, kind, target, forMs, amount }: Fault): string =>
  [
    `${(atMs / 1_000).toFixed(1)} s`,
    kind,
    target,
    ...(amount === 0 ? [] : [kind === 'loss' ? `${Math.round(amount * 100)} %` : `${amount}`]),
    ...(forMs > 0 ? [`for ${forMs} ms`] : []),
  ]
    .filter((word) => word !== '')
    .join(' ');
