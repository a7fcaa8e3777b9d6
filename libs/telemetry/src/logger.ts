import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

/** JSON lines on stdout. Never log bodies, keys, tokens or e-mail addresses: log ids. */
export function createLogger(service: string, level = 'info'): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.errWithCause },
  };
  return pino(options, writtenByTurn());
}

/** One write for all lines of a turn of the event loop: under load a write for each costs more than the request that it tells of. */
function writtenByTurn(): DestinationStream {
  const stdout = pino.destination({ dest: 1, sync: true });
  let pending = '';
  const flush = (): void => {
    if (pending === '') return;
    const lines = pending;
    pending = '';
    stdout.write(lines);
  };
  process.on('exit', flush);
  return {
    write: (line) => {
      if (pending === '') setImmediate(flush);
      pending += line;
    },
  };
}
