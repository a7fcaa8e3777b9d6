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

/** Of proc(5), in bytes. */
const statusOf = (pid: number, field: 'VmRSS' | 'RssAnon'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

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
    resident[nameOf(command)] = (resident[nameOf(command)] ?? 0) + statusOf(pid, 'VmRSS');
  return resident;
}

/**
 * Bytes that all of them hold: added up, where the program of Node.js counts in each, and so does what the store has looked at of its file;
 * and what is no page of a file, which the kernel could drop and read again.
 */
export function residentBytes(dataDir: string): { readonly addedUp: number; readonly ofNoFile: number } {
  const addedUp = Object.values(residentByProcess(dataDir)).reduce((sum, each) => sum + each, 0);
  const ofNoFile = processesOf(dataDir).map(({ pid }) => statusOf(pid, 'RssAnon'));
  return { addedUp, ofNoFile: ofNoFile.reduce((sum, each) => sum + each, 0) };
}
