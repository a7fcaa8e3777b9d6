import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConfigError } from '@invoicing/config';
import { createLogger, uncaughtErrors } from '@invoicing/telemetry';

/** Something that runs until it is closed; closing lets accepted work finish. */
export interface Running {
  close: () => Promise<void>;
}

const STOP_TIMEOUT_MS = 10_000;
const SETTLE_MS = 3_000;
// Enough to see what goes wrong; so few that a fault in writing the line itself does not become an endless loop.
const LINES_A_SECOND = 20;

/**
 * What a process does after an error that nobody caught (`uncaughtException`, `unhandledRejection`). In every case it is logged as fatal
 * with its cause, and counted.
 * `serve`: it goes on. Such an error belongs to one request, which is lost; what others rely on is decided by the store, in single
 * atomic writes, and never by this process's memory alone. To end would let one request cut off all others, again and again.
 * `end`: it ends at once with exit code 1, to be started again. The store's own memory is what all others rely on: after an error in its
 * midst nobody knows what of it is true, while what it has on disk is.
 */
const afterUncaught = {
  gateway: 'serve',
  billing: 'serve',
  catalog: 'serve',
  checkout: 'serve',
  notification: 'serve',
  application: 'serve',
  store: 'end',
} as const;

/** Names of the processes of the platform. */
export type ProcessName = keyof typeof afterUncaught;

/**
 * Runs one process: starts, then stops on SIGTERM, SIGINT or when the parent that forked it is gone.
 * A failure to start, and any error that nobody caught until it has started, is one line on stderr and exit code 1.
 */
export function runProcess(name: ProcessName, start: () => Promise<Running>): void {
  let running: Running | undefined;
  let stopping = false;

  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    // What has not started yet (it may wait for the store) has accepted no work.
    if (!running) process.exit(0);
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    running.close().then(() => process.exit(0), fail);
  };
  const fail = (error: unknown): void => {
    process.stderr.write(`${error instanceof ConfigError ? error.message : describe(error)}\n`);
    process.exit(1);
  };

  const log = createLogger(name);
  const mayLog = atMost(LINES_A_SECOND);
  const uncaught = (kind: 'exception' | 'rejection', error: unknown): void => {
    // What has not started has nobody to serve.
    if (!running) return fail(error);
    uncaughtErrors.inc({ kind });
    if (mayLog()) log.fatal({ error, kind }, `uncaught error; this process ${then[afterUncaught[name]]}`);
    if (afterUncaught[name] === 'end') process.exit(1);
  };

  // From zero, so that the first one is seen as an increase.
  for (const kind of ['exception', 'rejection']) uncaughtErrors.inc({ kind }, 0);
  process.on('uncaughtException', (error) => uncaught('exception', error));
  process.on('unhandledRejection', (reason) => uncaught('rejection', reason));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  start().then((started) => {
    running = started;
    process.send?.({ ready: true });
    setTimeout(collectGarbage, SETTLE_MS).unref();
  }, fail);
}

const then = { serve: 'serves on', end: 'ends' } as const;

/** Says `count` times a second that something may be done. */
function atMost(count: number): () => boolean {
  let second = 0;
  let done = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, done] = [now, 0];
    return ++done <= count;
  };
}

/** Loading and compiling leave tens of megabytes that V8 would keep for minutes in a process that is at rest. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function describe(error: unknown): string {
  const { code, port, stack } = (error ?? {}) as { code?: string; port?: number; stack?: string };
  if (code === 'EADDRINUSE') return `port ${port} is already in use`;
  return stack ?? String(error);
}
