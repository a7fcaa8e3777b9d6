/** The median of interleaved rounds, with the lowest and the highest of them. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** One figure of a benchmark, beside its comparator of the same run where it has one. `npm run bench` collects them into its report. */
export interface BenchFigure {
  /** What was measured, as `list of 50, 32 clients`. */
  readonly name: string;
  /** As `/s`, `ms`, `kB`. */
  readonly unit: string;
  readonly ours: Spread;
  readonly beside?: { readonly name: string; readonly value: Spread };
  /** Microseconds of processor an operation, by process. */
  readonly cpuMicros?: Readonly<Record<string, number>>;
  readonly aim?: BenchAim;
}

/** What is wanted of `value`: the figure itself, its ratio to the comparator, or the processor time of an operation in milliseconds. */
export interface BenchAim {
  readonly of: 'value' | 'ratio' | 'cpuMs';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** `low`, `median` and `high` of the rounds of one figure. */
export function spreadOf(rounds: readonly number[]): Spread {
  const sorted = rounds.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1] ?? NaN, low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN };
}

/** A figure that was measured once. */
export const single = (value: number): Spread => ({ median: value, low: value, high: value });

/** The value below which so large a share (0 to 1) of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;
