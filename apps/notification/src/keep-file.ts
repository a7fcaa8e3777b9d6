import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Keeps a file in a folder that only its owner reads, made when it is not there. A reader sees the whole file or none; the same name again replaces it. */
export async function keepFile(folder: string, name: string, content: Buffer | Uint8Array | string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  const draft = `${file}.${process.pid}.tmp`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

/** `20261121T030025123Z`: names that begin so sort by time. */
export const timeInName = (at: Date): string => at.toISOString().replace(/[-:.]/g, '');
