import { readFileSync } from 'node:fs';
import { processesOf } from '../processes';

const TICK_US = 10_000;

/** Processor time of a process so far, in microseconds (proc(5): utime and stime). */
function microsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Bytes that a process had written to disk so far (proc(5): write_bytes). */
const writtenBy = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

const nameOf = (command: string): string =>
  /(\w+)\/main\.js|platform\/(store)\.js|(nats)-server|(typst)\.process/.exec(command)?.slice(1).find(Boolean) ??
  'comparator';

/** What the processes of a platform have used between two moments. */
export interface Used {
  /** Microseconds of processor by process. */
  readonly micros: Readonly<Record<string, number>>;
  /** Bytes written to disk by all of them. */
  readonly bytesWritten: number;
}

/** Notes where every process of the platform in `dataDir` stands; what is answered tells what they used since. */
export function watchProcesses(dataDir: string): () => Used {
  const before = processesOf(dataDir).map(({ pid, command }) => ({
    pid,
    name: nameOf(command),
    micros: microsOf(pid),
    written: writtenBy(pid),
  }));
  return () => {
    const micros: Record<string, number> = {};
    let bytesWritten = 0;
    for (const each of before) {
      micros[each.name] = (micros[each.name] ?? 0) + microsOf(each.pid) - each.micros;
      bytesWritten += writtenBy(each.pid) - each.written;
    }
    return { micros, bytesWritten };
  };
}

/** Bytes that all processes of the platform in `dataDir` hold in memory. */
export const residentBytes = (dataDir: string): number =>
  processesOf(dataDir).reduce((sum, { pid }) => sum + residentOf(pid), 0);
