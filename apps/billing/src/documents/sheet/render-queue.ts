import { AppError } from '@invoicing/errors';
import { FairQueue } from './fair-queue';
import { ProcessLost, type SetSheet, type SheetJob, TypstProcess } from './typst-process';

/** Sets sheets one at a time, in a process that is there while there is work and a while after. */
export interface RenderQueue {
  /**
   * Throws `unavailable` when too many wait, or when two processes in a row were lost over this sheet.
   */
  readonly render: (organizationId: string, job: SheetJob) => Promise<SetSheet>;
  readonly close: () => void;
}

interface Waiting {
  readonly job: SheetJob;
  readonly resolve: (sheet: SetSheet) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_WAITING = 200;
const MOST_OF_ONE = 50;
const IDLE_MS = 60_000;
const ATTEMPTS = 2;

const RETRY_AFTER_SECONDS = 2;

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('unavailable', 'unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });

export function renderQueue(
  start: () => Pick<TypstProcess, 'set' | 'close' | 'isUsable'> = () => new TypstProcess(),
  idleMs = IDLE_MS,
): RenderQueue {
  const queue = new FairQueue<Waiting>(MOST_WAITING, MOST_OF_ONE);
  let process: ReturnType<typeof start> | undefined;
  let isBusy = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;

  return {
    render: (organizationId, job) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(unavailable('documents are no longer rendered'));
        if (!queue.push(organizationId, { job, resolve, reject }))
          return reject(unavailable('too many documents are being rendered'));
        void work();
      }),
    close: () => {
      isClosed = true;
      clearTimeout(idle);
      process?.close();
    },
  };

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(idle);
    for (let next = queue.shift(); next; next = queue.shift()) {
      try {
        next.resolve(await attempt(next.job));
      } catch (error) {
        next.reject(error);
      }
    }
    isBusy = false;
    // Memory that nobody needs is given back; the next one waits 50 ms longer.
    idle = setTimeout(() => process?.close(), idleMs).unref();
  }

  /** A process that is lost costs the sheet in hand one attempt, and those that wait nothing. */
  async function attempt(job: SheetJob): Promise<SetSheet> {
    for (let left = ATTEMPTS; ; left--) {
      if (isClosed) throw unavailable('documents are no longer rendered');
      if (!process?.isUsable) process = start();
      try {
        return await process.set(job);
      } catch (error) {
        if (!(error instanceof ProcessLost)) throw error;
        if (left === 1 || isClosed) throw unavailable('the document cannot be rendered now', error);
      }
    }
  }
}
