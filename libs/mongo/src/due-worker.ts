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
  /** Does one bounded round; answers whether more is due right now. Must be safe to run on several replicas side by side. */
  readonly round: () => Promise<boolean>;
  readonly pollMs: number;
  readonly onError: (error: unknown) => void;
}

/** Begins at once. A round that fails is told to `onError` and comes again with the next poll. */
export function startDueWorker({ round, pollMs, onError }: DueWorkerOptions): DueWorker {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let wanted = false;
  let closed = false;

  const run = async (): Promise<void> => {
    do {
      wanted = false;
      try {
        if (await round()) wanted = true;
      } catch (error) {
        // The round left its work in the store: the next poll finds it again.
        onError(error);
        wanted = false;
      }
    } while (wanted && !closed);
  };
  const start = (): void => {
    clearTimeout(timer);
    if (closed) return;
    running = outsideTrace(run).finally(() => {
      running = undefined;
      if (wanted && !closed) timer = setTimeout(start, 0);
      else if (!closed) timer = setTimeout(start, pollMs);
    });
  };
  start();
  return {
    wake: () => {
      wanted = true;
      if (!running) start();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
