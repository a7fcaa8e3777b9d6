import { readFileSync, statSync } from 'node:fs';
import { processesOf } from '../processes';

const TICK_US = 10_000;

/** Processor time of a process so far, in microseconds (proc(5): utime and stime). */
function microsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

const SECTOR_BYTES = 512;

/**
 * Bytes that the disk of a folder was given so far, by all processes of the machine; undefined where the folder is on none. A process's
 * own `write_bytes` (proc(5)) counts whole folios, and a changed page of four kilobytes may be in one of a megabyte: ten times too much
 * for the store's file, where that was compared.
 */
function writtenToDiskOf(folder: string): number | undefined {
  const { dev } = statSync(folder);
  const disk = readFileSync('/proc/diskstats', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([major, minor]) => Number(major) === dev >> 8 && Number(minor) === (dev & 0xff));
  return disk && Number(disk[9]) * SECTOR_BYTES;
}

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

const nameOf = (command: string): string =>
  /(\w+)\/main\.js|platform\/(store)\.js|(nats)-server|(typst)\.process/.exec(command)?.slice(1).find(Boolean) ??
  'comparator';

/** What the processes of a platform have used between two moments. */
export interface Used {
  /** Microseconds of processor by process. */
  readonly micros: Readonly<Record<string, number>>;
  /** Bytes that the platform's disk was given, by whomever; undefined where that cannot be known. */
  readonly bytesWritten: number | undefined;
}

/** Notes where every process of the platform in `dataDir` stands; what is answered tells what they used since. */
export function watchProcesses(dataDir: string): () => Used {
  const writtenBefore = writtenToDiskOf(dataDir);
  const before = processesOf(dataDir).map(({ pid, command }) => ({
    pid,
    name: nameOf(command),
    micros: microsOf(pid),
  }));
  return () => {
    const micros: Record<string, number> = {};
    for (const each of before) {
      micros[each.name] = (micros[each.name] ?? 0) + microsOf(each.pid) - each.micros;
    }
    const after = writtenToDiskOf(dataDir);
    return { micros, bytesWritten: after === undefined ? undefined : after - writtenBefore! };
  };
}

/** Bytes that each process of the platform in `dataDir` holds in memory; replicas together. */
export function residentByProcess(dataDir: string): Record<string, number> {
  const resident: Record<string, number> = {};
  for (const { pid, command } of processesOf(dataDir))
    resident[nameOf(command)] = (resident[nameOf(command)] ?? 0) + residentOf(pid);
  return resident;
}

/** Bytes that all of them hold: added up, where the program of Node.js counts in each, and with what they share counted once. */
export function residentBytes(dataDir: string): { readonly addedUp: number; readonly sharedOnce: number } {
  const addedUp = Object.values(residentByProcess(dataDir)).reduce((sum, each) => sum + each, 0);
  const proportional = processesOf(dataDir).map(({ pid }) => proportionalOf(pid));
  return { addedUp, sharedOnce: proportional.reduce((sum, each) => sum + each, 0) };
}

/** Of what several processes share, its part (Pss of proc(5)); 0 when the process is gone. */
function proportionalOf(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes) * 1_024;
  } catch {
    return 0;
  }
}
