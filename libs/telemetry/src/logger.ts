import { pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines on stdout. Never log bodies, keys, tokens or e-mail addresses: log ids. */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.errWithCause },
  });
}
