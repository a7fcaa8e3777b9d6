import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Every process on this machine that belongs to the platform in `dataDir`: it names the folder in its environment or arguments. */
export function processesOf(dataDir: string): FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
        return command.includes(dataDir) || environment.includes(dataDir) ? [{ pid: Number(name), command }] : [];
      } catch {
        // It ended while we looked, or is not ours to read.
        return [];
      }
    });
}

/** The process whose command names `part`: `billing/main.js`, `platform/store.js`, `nats-server`, … */
export function processOf(dataDir: string, part: string): FoundProcess {
  const found = processesOf(dataDir).find(
    ({ command }) => command.includes(`/${part}/main.js`) || command.includes(part),
  );
  if (!found) throw new Error(`no process of ${part}`);
  return found;
}

/** Ends every process of the platform in `dataDir` at once, as a power cut does, and waits until all are gone. */
export async function killEverything(dataDir: string): Promise<void> {
  for (let left = processesOf(dataDir); left.length > 0; left = processesOf(dataDir)) {
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    await setTimeout(20);
  }
}
