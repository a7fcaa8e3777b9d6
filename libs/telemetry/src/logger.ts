import { pino, type DestinationStream, type Logger } from 'pino';
import { shownError } from './shown-error';

export type { Logger };

/** JSON lines on stdout. Never log bodies, keys, tokens or e-mail addresses: log ids. */
export function createLogger(service: string, level = 'info'): Logger {
  const options = {
    level,
    base: { service },
    timestamp: isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: shownError },
  };
  return pino(options, (stdout ??= writtenByTurn()));
}

// All loggers of a process write through one.
let stdout: DestinationStream | undefined;

let millisecond = 0;
let time = '';

/** ISO 8601; made once a millisecond, in which a busy process writes many lines. */
function isoTime(): string {
  const now = Date.now();
  if (now !== millisecond) {
    millisecond = now;
    time = `,"time":"${new Date(now).toISOString()}"`;
  }
  return time;
}

/** One write for all lines of a turn of the event loop: under load a write for each costs more than the request that it tells of. */
function writtenByTurn(): DestinationStream {
  const file = pino.destination({ dest: 1, sync: true });
  let pending = '';
  const flush = (): void => {
    if (pending === '') return;
    const lines = pending;
    pending = '';
    file.write(lines);
  };
  process.on('exit', flush);
  return {
    write: (line) => {
      if (pending === '') setImmediate(flush);
      pending += line;
    },
  };
}
