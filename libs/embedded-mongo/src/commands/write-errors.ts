import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';

export const maxWriteBatch = 100_000;

/** One entry of `writeErrors`. What is no refusal but a fault of ours fails the whole command. */
export function writeError(index: number, error: unknown): Doc {
  if (!(error instanceof CommandError)) throw error;
  return { index, code: error.code, errmsg: error.message, ...error.extra };
}
