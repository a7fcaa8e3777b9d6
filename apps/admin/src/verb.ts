import type { Command } from 'commander';
import { inColumns } from './columns';
import { connect, type Services } from './platform';
import { print, textOf } from './output';

type Flags = Record<string, unknown>;

/** What a verb does: gets the services, its flags and arguments; answers what is printed. */
export type Run<F extends Flags, A = unknown> = (services: Services, flags: F, ...args: string[]) => Promise<A>;

/** What people read instead of the document that programs get. */
type ForPeople<A> = (answer: A, services: Services) => unknown;

/** What people read of an answer, and a closing line that says what it comes to. */
export const concluded = (noun: string, answer: unknown, verdict: string): string =>
  `${textOf(inColumns(noun, answer))}\n${verdict}`;

/** Adds `noun verb` with `--json`; the action connects, runs and prints one document. */
export function verb<F extends Flags, A = unknown>(
  noun: Command,
  usage: string,
  description: string,
  run: Run<F, A>,
  forPeople: ForPeople<A> = (answer) => answer,
): Command {
  const command = noun.command(usage).description(description).option('--json', 'print one JSON document');
  command.action(async (...all: unknown[]) => {
    const args = all.slice(0, command.registeredArguments.length) as string[];
    const { json, ...flags } = command.opts<F & { json?: boolean }>();
    const services = connect();
    const answer = await run(services, flags as unknown as F, ...args);
    print(json ? answer : inColumns(noun.name(), await forPeople(answer, services)), json === true);
  });
  return command;
}
