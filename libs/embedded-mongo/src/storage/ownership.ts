import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Database } from 'lmdb';

const key = Buffer.from('\0owner');
const openHere = new Set<string>();

interface Owner {
  pid: number;
  started: string;
  host: string;
}

/** Distinguishes a process from a later one that was given the same pid. */
function startTime(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie was killed and only waits to be counted: it holds nothing.
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined; // no such process
  }
}

/** Takes the folder for this process or says who has it. LMDB's own write lock makes the check and the claim one step. */
export function claim(db: Database, folder: string): () => void {
  const path = realpathSync(folder);
  const me: Owner = { pid: process.pid, started: startTime(process.pid) ?? '', host: hostname() };
  if (openHere.has(path)) throw new Error(`The store in ${folder} is already open in this process`);
  db.transactionSync(() => {
    const bytes = db.getBinary(key);
    const owner = bytes && bytes.length > 0 ? (JSON.parse(bytes.toString()) as Owner) : undefined;
    if (owner && owner.host === me.host && owner.pid !== me.pid && startTime(owner.pid) === owner.started) {
      throw new Error(`The store in ${folder} is in use by process ${owner.pid}: one process owns a folder`);
    }
    void db.put(key, Buffer.from(JSON.stringify(me)));
  });
  openHere.add(path);
  return () => {
    openHere.delete(path);
    db.removeSync(key);
  };
}

/** Of a copy: it has the claim of the store that it was made from, and is nobody's. */
export const disown = (db: Database): boolean => db.removeSync(key);
