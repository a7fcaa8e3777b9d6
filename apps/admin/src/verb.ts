import type { Command } from 'commander';
import { connect, type Services } from './platform';
import { print } from './output';

type Flags = Record<string, unknown>;

/** What a verb does: gets the services, its flags and arguments; answers what is printed. */
export type Run<F extends Flags> = (services: Services, flags: F, ...args: string[]) => Promise<unknown>;

/** Adds `noun verb` with `--json`; the action connects, runs and prints one document. */
export function verb<F extends Flags>(noun: Command, usage: string, description: string, run: Run<F>): Command {
  const command = noun.command(usage).description(description).option('--json', 'print one JSON document');
  command.action(async (...all: unknown[]) => {
    const args = all.slice(0, command.registeredArguments.length) as string[];
    const { json, ...flags } = command.opts<F & { json?: boolean }>();
    print(await run(connect(), flags as unknown as F, ...args), json === true);
  });
  return command;
}
