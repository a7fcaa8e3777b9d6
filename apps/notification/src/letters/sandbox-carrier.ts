import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { keepFile, timeInName } from '../keep-file';
import type { LetterCarrier } from './letter-carrier';

// Long enough to be seen underway.
const PRINTING_MS = 1_000;

/** The built-in carrier: "posting" a letter puts its PDF into `folder`. The same letter again is the same file. */
export function sandboxCarrier(folder: string): LetterCarrier {
  return {
    pollMs: 1_500,
    submit: async ({ id, pdf, createdAt }) => {
      const name = `${timeInName(createdAt)}-${id}.pdf`;
      await keepFile(folder, name, pdf);
      return name;
    },
    progress: async (name) => {
      const { mtimeMs } = await stat(join(folder, name));
      return Date.now() - mtimeMs < PRINTING_MS ? 'underway' : 'sent';
    },
  };
}
