import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConfigError } from './load-env';

/** Something that runs until it is closed; closing lets accepted work finish. */
export interface Running {
  close: () => Promise<void>;
}

const STOP_TIMEOUT_MS = 10_000;
const SETTLE_MS = 3_000;

/**
 * Runs one process: starts, then stops on SIGTERM, SIGINT or when the parent that forked it is gone.
 * A failure to start is one line on stderr and exit code 1.
 */
export function runProcess(start: () => Promise<Running>): void {
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

  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  start().then((started) => {
    running = started;
    process.send?.({ ready: true });
    setTimeout(collectGarbage, SETTLE_MS).unref();
  }, fail);
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
