import { TaskPool } from './task-pool';

/** How long is gathered, and how much. */
export interface Gathering {
  /** From the first item on. */
  readonly waitMs: number;
  /** So many are not kept waiting. */
  readonly limit: number;
}

/** Gathers what can wait a moment. */
export interface Gathered<I> {
  readonly add: (item: I) => void;
  /** Runs what waits at once, and waits for every run. */
  readonly flush: () => Promise<void>;
}

/**
 * Joins what comes within a moment into one run, for work that nobody waits for. `run` never throws. What waits is lost with the process:
 * for work that is found again.
 */
export function gathered<I>({ waitMs, limit }: Gathering, run: (items: readonly I[]) => Promise<void>): Gathered<I> {
  const running = new TaskPool();
  let waiting: I[] = [];
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const items = waiting;
    waiting = [];
    if (items.length > 0) running.add(run(items));
  };
  return {
    add: (item) => {
      waiting.push(item);
      if (waiting.length >= limit) start();
      else timer ??= setTimeout(start, waitMs).unref();
    },
    flush: async () => {
      start();
      await running.idle();
    },
  };
}
