import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Loaded before a process's own code: its clock runs by CLOCK_SKEW_MS ahead (or behind), and like any clock it does so steadily. It ends
// with whoever started it, however that one ended.
const SHIM = `
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}
const skew = Number(process.env.CLOCK_SKEW_MS || 0);
if (skew !== 0) {
  const True = Date;
  const now = () => True.now() + skew;
  global.Date = class Date extends True {
    constructor(...args) { if (args.length === 0) super(now()); else super(...args); }
    static now() { return now(); }
  };
}
`;

/** Writes the shim into a folder; answers what NODE_OPTIONS loads it with. */
export function clockShim(folder: string): string {
  const file = join(folder, 'clock-skew.cjs');
  writeFileSync(file, SHIM);
  return `--require=${file}`;
}
