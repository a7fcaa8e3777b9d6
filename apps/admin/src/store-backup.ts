import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectMongo } from '@invoicing/mongo';

// Beside the store, what nobody can make again: keys, mail and letters. The broker's files, logs and addresses are made anew.
const LEFT_OUT = ['store', 'nats', 'logs', 'platform.json', 'store.sock'];
const MANIFEST = 'backup.json';

/** Copies the store in the box as it is at one moment, and the other files of DATA_DIR, into an empty folder. */
export async function backUp(
  uri: string,
  dataDir: string,
  to: string,
): Promise<{ to: string; bytes: number; files: string[] }> {
  if (existsSync(to) && readdirSync(to).length > 0) throw new Error(`${to} is not empty`);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const connection = await connectMongo({ uri, database: 'admin' });
  let bytes: number;
  try {
    const answer = await connection.db!.command({ copyStore: join(to, 'store') });
    bytes = answer['bytes'] as number;
  } catch (error) {
    if (/no such command/.test((error as Error).message))
      throw new Error('this is no store in the box: back it up with mongodump (docs/operating.md)', { cause: error });
    throw error;
  } finally {
    await connection.close();
  }
  // After the store: what it knows of is in these files then.
  const files = readdirSync(dataDir).filter((name) => !LEFT_OUT.includes(name));
  for (const name of files) cpSync(join(dataDir, name), join(to, name), { recursive: true });
  // Last: a backup without it was cut short.
  writeFileSync(join(to, MANIFEST), JSON.stringify({ at: new Date().toISOString(), bytes, files }, null, 2));
  return { to, bytes, files };
}

/** Puts a backup into the folder of a platform that does not run; what was there is kept under another name. */
export async function restore(
  from: string,
  dataDir: string,
): Promise<{ from: string; dataDir: string; kept: string | null }> {
  if (!existsSync(join(from, MANIFEST))) throw new Error(`${from} is no whole backup: it has no ${MANIFEST}`);
  if (isRunning(dataDir)) throw new Error(`a platform runs on ${dataDir}: stop it first`);
  const { files } = JSON.parse(readFileSync(join(from, MANIFEST), 'utf8')) as { files: string[] };
  const kept = existsSync(join(dataDir, 'store')) ? join(dataDir, `before-restore-${Date.now()}`) : null;
  mkdirSync(kept ?? dataDir, { recursive: true, mode: 0o700 });
  for (const name of ['store', ...files])
    if (kept && existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(kept, name));
  for (const name of ['store', ...files]) cpSync(join(from, name), join(dataDir, name), { recursive: true });
  // What the broker has tells of a store that is no longer this one; what is not settled is published again.
  rmSync(join(dataDir, 'nats'), { recursive: true, force: true });
  return { from, dataDir, kept };
}

function isRunning(dataDir: string): boolean {
  const file = join(dataDir, 'platform.json');
  if (!existsSync(file)) return false;
  const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
  try {
    return process.kill(pid, 0);
  } catch {
    // It was killed and left its file.
    return false;
  }
}
