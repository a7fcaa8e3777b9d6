import type { Operation, Read } from '../history';

/** A write of a register, or a read of it, as an interval in time. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly value: string;
  readonly isWrite: boolean;
  /** Need not have happened. */
  readonly isOptional: boolean;
}

/**
 * Whether there is an order of all steps, each at one moment between its call and its answer, in which every read gives the last value
 * written (Wing and Gong's search, with the states that were seen remembered as Lowe does). A write whose outcome is unknown may take its
 * place at any time after its call, or never.
 */
export function isLinearizableRegister(initial: string, writes: readonly Operation[], reads: readonly Read[]): boolean {
  const steps: Step[] = [
    ...writes
      .filter(({ outcome }) => outcome !== 'refused')
      .map(({ id, startedAt, endedAt, outcome }) => ({
        ...{ from: startedAt, to: outcome === 'acknowledged' ? endedAt : Infinity },
        ...{ value: id, isWrite: true, isOptional: outcome === 'unknown' },
      })),
    ...reads.map(({ startedAt, endedAt, values }) => ({
      ...{ from: startedAt, to: endedAt, value: values[0] ?? '', isWrite: false, isOptional: false },
    })),
  ].sort((a, b) => a.from - b.from);
  const seen = new Set<string>();
  const search = (done: bigint, value: string): boolean => {
    const left = steps.flatMap((step, index) => ((done >> BigInt(index)) & 1n ? [] : [{ step, index }]));
    if (left.every(({ step }) => step.isOptional)) return true;
    const state = `${done}:${value}`;
    if (seen.has(state)) return false;
    seen.add(state);
    // Nothing may come before what had ended when it began.
    const firstEnd = left.reduce((least, { step }) => Math.min(least, step.to), Infinity);
    return left
      .filter(({ step }) => step.from <= firstEnd)
      .some(({ step, index }) => {
        if (!step.isWrite && step.value !== value) return false;
        return search(done | (1n << BigInt(index)), step.isWrite ? step.value : value);
      });
  };
  return search(0n, initial);
}

/**
 * What is wrong with the reads of a set that only grows: an acknowledged member that a later read has not, a member that was read before
 * anybody asked for it or was refused, one that was there and is gone.
 */
export function faultsOfSet(adds: readonly Operation[], reads: readonly Read[]): string[] {
  const faults: string[] = [];
  for (const { id, startedAt, endedAt, outcome } of adds) {
    const has = ({ values }: Read): boolean => values.includes(id);
    const holders = reads.filter(has);
    if (outcome === 'refused' && holders.length > 0) faults.push(`${id} was refused and is there`);
    if (holders.some((read) => read.endedAt < startedAt)) faults.push(`${id} was read before anybody asked for it`);
    const certainFrom = Math.min(
      outcome === 'acknowledged' ? endedAt : Infinity,
      ...holders.map((read) => read.endedAt),
    );
    const missing = reads.find((read) => read.startedAt > certainFrom && !has(read));
    if (missing) faults.push(`${id} was there, and a read of ${missing.key} that began later has it not`);
  }
  const known = new Set(adds.map(({ id }) => id));
  for (const { key, values } of reads) {
    for (const value of values) if (!known.has(value)) faults.push(`${value} in ${key} was asked for by nobody`);
    if (new Set(values).size !== values.length) faults.push(`${key} has a member twice`);
  }
  return [...new Set(faults)];
}
