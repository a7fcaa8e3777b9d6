import type { QueryFilter } from 'mongoose';
import type { DueWorker } from './due-worker';

/** How far the time of some organisations is ahead of real time, milliseconds by organisation id. All others live in real time. */
export type Ahead = ReadonlyMap<string, number>;

/** The time by which each organisation lives: test organisations may have clocks that run ahead. */
export interface OrganizationClocks {
  /** The organisation's time; without one, real time. */
  readonly now: (organizationId?: string) => Date;
  readonly ahead: () => Ahead;
}

/** Clocks that are read again and again: a service that cannot be asked leaves them as they were. */
export interface RunningClocks extends OrganizationClocks {
  /** Reads them at once. */
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Everybody lives in real time. */
export const REAL_TIME: OrganizationClocks = { now: () => new Date(), ahead: () => new Map() };

/** How long after it was moved a clock is certain to be known everywhere that can be reached. */
export const CLOCKS_KNOWN_MS = 1_000;

const POLL_MS = CLOCKS_KNOWN_MS / 2;

/** Reads the clocks now and twice a second. `workers`: what waits for its time may be due when one was moved. */
export function startClocks(
  read: () => Promise<Ahead>,
  workers: readonly Pick<DueWorker, 'wake'>[],
  onError: (error: unknown) => void,
): RunningClocks {
  let ahead: Ahead = new Map();
  let reading: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    const latest = await read();
    const isMoved = latest.size !== ahead.size || [...latest].some(([id, ms]) => ahead.get(id) !== ms);
    ahead = latest;
    if (isMoved) workers.forEach((worker) => worker.wake());
  };
  const poll = (): void => {
    reading ??= refresh()
      .catch(onError)
      .finally(() => (reading = undefined));
  };
  poll();
  const timer = setInterval(poll, POLL_MS);
  return {
    now: (organizationId) => new Date(Date.now() + (ahead.get(organizationId ?? '') ?? 0)),
    ahead: () => ahead,
    refresh,
    close: async () => {
      clearInterval(timer);
      await reading;
    },
  };
}

/**
 * What is due: `dueAt` is not after `now`, or not after the time of an organisation whose clock runs ahead. `only` narrows the latter
 * to what waits for its time, where the same field also ends a lease in real time.
 */
export function dueFilter<T>(now: Date, ahead: Ahead, only: QueryFilter<T> = {}): QueryFilter<T> {
  const due = { dueAt: { $lte: now } };
  if (ahead.size === 0) return due as QueryFilter<T>;
  const early = [...ahead].map(([organizationId, ms]) => ({
    ...only,
    organizationId,
    dueAt: { $lte: new Date(now.getTime() + ms) },
  }));
  return { $or: [due, ...early] } as unknown as QueryFilter<T>;
}
