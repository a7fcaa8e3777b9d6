import { copyFileSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { keptMs } from '@invoicing/rules';

const EVERY_MS = 3_600_000;

/**
 * Keeps no line of the processes' logs longer than the table of retention says: they begin anew with each start, and are set aside once in
 * half that time, in place of what was set aside before. Answers how to stop.
 */
export function keepLogsShort(folder: string, now: () => number = Date.now): { round: () => void; close: () => void } {
  const aside = (file: string): string => `${file}.1`;
  for (const name of readdirSync(folder)) if (name.endsWith('.log.1')) rmSync(join(folder, name), { force: true });
  let since = now();
  const round = (): void => {
    if (now() - since < keptMs('logs') / 2) return;
    since = now();
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.log'))) {
      const file = join(folder, name);
      copyFileSync(file, aside(file));
      // The process goes on appending: a file that is opened so has no place of its own.
      truncateSync(file);
    }
  };
  const timer = setInterval(round, EVERY_MS).unref();
  return { round, close: () => clearInterval(timer) };
}
