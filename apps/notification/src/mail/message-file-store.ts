import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Purged } from '@invoicing/mongo';

/** Deletes up to `limit` files that were written before. Another replica may be at it, too. */
export async function purgeFiles(folders: readonly string[], before: Date, limit: number): Promise<Purged> {
  let count = 0;
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      if (count === limit) return { found: count, purged: count };
      const file = join(folder, name);
      if (!(await isOlder(file, before))) continue;
      await rm(file, { force: true });
      count++;
    }
  }
  return { found: count, purged: count };
}

/** Deletes the files whose names contain one of these ids. */
export async function deleteFilesOf(folders: readonly string[], ids: readonly string[]): Promise<void> {
  for (const folder of folders)
    for (const name of await namesIn(folder))
      if (ids.some((id) => name.includes(id))) await rm(join(folder, name), { force: true });
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Made when the first file is written.
    if (error.code === 'ENOENT') return [];
    throw error;
  });

async function isOlder(file: string, before: Date): Promise<boolean> {
  try {
    const found = await stat(file);
    return found.isFile() && found.mtime < before;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
