import { resolve } from 'node:path';
import type { Command } from 'commander';
import { findPlatform } from '../platform';
import { print } from '../output';

const atStore = () => import('../store.main');

type Answer = Record<string, unknown>;

/** Verbs about the store itself: whether it is whole, a copy of it, and back again. */
export function addStore(program: Command): void {
  const store = program.command('store').description('what everything is kept in');
  json(
    store.command('verify').description('read every document and index entry and hold them against each other'),
    async () => {
      const found = await (await atStore()).verifyStore(mongodbUri());
      // A damage that a script passes over is a damage that nobody sees.
      if (!found.valid) process.exitCode = 1;
      return { ...found };
    },
  );
  json(
    program
      .command('backup')
      .description('copy the store in the box, keys and messages as they are now, while everything runs')
      .requiredOption('--to <dir>', 'a folder that is empty or not there'),
    async ({ to }) => (await atStore()).backUp(mongodbUri(), dataDir(), resolve(to!)),
  );
  json(
    program
      .command('restore')
      .description('put a backup into DATA_DIR of a stopped platform; what is there is kept beside it')
      .requiredOption('--from <dir>', 'what backup made'),
    async ({ from }) => (await atStore()).restore(resolve(from!), dataDir()),
  );
}

const dataDir = (): string => resolve(process.env['DATA_DIR'] || '.data');

function mongodbUri(): string {
  const uri = findPlatform().mongodbUri;
  if (!uri) throw new Error('nobody says where the store is: set MONGODB_URI');
  return uri;
}

/** The store's verbs speak to no service: restoring is for a platform that does not run. */
function json(command: Command, run: (flags: Record<string, string>) => Promise<Answer>): void {
  command.option('--json', 'print one JSON document').action(async () => {
    const { json: isJson, ...flags } = command.opts<{ json?: boolean }>();
    print(await run(flags as Record<string, string>), isJson === true);
  });
}
