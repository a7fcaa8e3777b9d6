import { outsideTrace } from '@invoicing/telemetry';

/** Repeats a piece of work that takes what is due from the store: woken in process, and by a poll for what others left behind. */
export interface DueWorker {
  /** Something became due; run soon. */
  wake: () => void;
  /** Waits for the running round. */
  close: () => Promise<void>;
}

/** What is repeated, and how often. */
export interface DueWorkerOptions {
  /** Does one bounded round; answers whether there was something to do. Must be safe to run on several replicas side by side. */
  readonly round: () => Promise<boolean>;
  /** The first wait after something was done. Each wait with nothing to do after it is followed by one twice as long, up to `IDLE_MS`. */
  readonly pollMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * The longest wait: so late, at most, is found what becomes due by itself, or what a process that died had left. Who writes down what is
 * due wakes the worker: then all that is due in some seconds is found before twice as many have passed.
 */
export const IDLE_MS = 10_000;

/** Begins at once. A round that fails is told to `onError` and comes again with the next poll. */
export function startDueWorker({ round, pollMs, onError }: DueWorkerOptions): DueWorker {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let wanted = false;
  let closed = false;
  let idleRounds = 0;

  const run = async (): Promise<void> => {
    do {
      wanted = false;
      try {
        if (await round()) wanted = true;
        idleRounds = wanted ? 0 : idleRounds + 1;
      } catch (error) {
        // The round left its work in the store: the next poll finds it again.
        onError(error);
        wanted = false;
        idleRounds = 0;
      }
    } while (wanted && !closed);
  };
  const waitMs = (): number => Math.max(pollMs, Math.min(pollMs * 2 ** (idleRounds - 1), IDLE_MS));
  const start = (): void => {
    clearTimeout(timer);
    if (closed) return;
    running = outsideTrace(run).finally(() => {
      running = undefined;
      if (wanted && !closed) timer = setTimeout(start, 0);
      else if (!closed) timer = setTimeout(start, waitMs());
    });
  };
  start();
  return {
    wake: () => {
      wanted = true;
      idleRounds = 0;
      if (!running) start();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
