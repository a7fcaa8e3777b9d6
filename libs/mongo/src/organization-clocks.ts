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

/** How long after it was moved a clock is certain to be known everywhere that can be reached, when that was told. */
export const CLOCKS_KNOWN_MS = 1_000;

/** So often they are read where a move would be heard of, and the longest until one is known that could not be told. */
export const CLOCKS_NET_MS = 10_000;

/** How a service hears that a clock was moved, or may have been. */
export interface ClocksMoved {
  readonly onTold: (listener: () => void) => void;
  readonly isHeard: () => boolean;
}

/** What the clocks of a service stand on. */
export interface ClocksOptions {
  readonly read: () => Promise<Ahead>;
  readonly moved: ClocksMoved;
  /** What waits for its time may be due when one was moved. */
  readonly workers: readonly Pick<DueWorker, 'wake'>[];
  readonly onError: (error: unknown) => void;
}

/** Reads the clocks now, whenever one was moved, and now and then; often while a move would not be heard of. */
export function startClocks({ read, moved, workers, onError }: ClocksOptions): RunningClocks {
  let ahead: Ahead = new Map();
  let reading: Promise<void> | undefined;
  let isStale = false;
  let readAt = 0;
  const refresh = async (): Promise<void> => {
    readAt = Date.now();
    const latest = await read();
    const isMoved = latest.size !== ahead.size || [...latest].some(([id, ms]) => ahead.get(id) !== ms);
    ahead = latest;
    if (isMoved) workers.forEach((worker) => worker.wake());
  };
  const readAgain = async (): Promise<void> => {
    do {
      isStale = false;
      await refresh().catch(onError);
    } while (isStale);
  };
  const look = (): void => {
    // One that was moved while we read may be missing in what we read.
    isStale = true;
    reading ??= readAgain().finally(() => (reading = undefined));
  };
  look();
  moved.onTold(look);
  const timer = setInterval(() => {
    if (!moved.isHeard() || Date.now() - readAt >= CLOCKS_NET_MS) look();
  }, CLOCKS_KNOWN_MS / 2);
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
