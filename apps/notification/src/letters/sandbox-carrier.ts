import { mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LetterCarrier } from './letter-carrier';

// Long enough to be seen underway.
const PRINTING_MS = 1_000;

/** The built-in carrier: "posting" a letter puts its PDF into `folder`. The same letter again is the same file. */
export function sandboxCarrier(folder: string): LetterCarrier {
  return {
    pollMs: 1_500,
    submit: async ({ id, pdf, createdAt }) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${createdAt.toISOString().replace(/[-:.]/g, '')}-${id}.pdf`;
      const draft = join(folder, `${name}.${process.pid}.tmp`);
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(pdf);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, join(folder, name));
      return name;
    },
    progress: async (name) => {
      const { mtimeMs } = await stat(join(folder, name));
      return Date.now() - mtimeMs < PRINTING_MS ? 'underway' : 'sent';
    },
  };
}
