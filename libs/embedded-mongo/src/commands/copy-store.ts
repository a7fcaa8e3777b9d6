import { existsSync, mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';
import { STORE_FILE } from '../storage/store';
import { type Command } from './command';

/**
 * `{ copyStore: <folder> }`, this server's own: a copy of the whole store as it is at one moment, in a folder that a store can be opened
 * in. Who may connect may do it. Answers how many bytes it has.
 */
export async function copyStoreCommand({ body, engine }: Command): Promise<Doc> {
  const folder = body.copyStore;
  if (typeof folder !== 'string' || !isAbsolute(folder))
    throw new CommandError('BadValue', 'copyStore needs the absolute path of a folder');
  const file = join(folder, STORE_FILE);
  if (existsSync(file)) throw new CommandError('BadValue', `${file} is there already`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await engine.store.copyTo(file);
  return { bytes: statSync(file).size };
}
