import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import { completionScript } from './completion';
import { buildProgram } from './program';

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

test.each(leaves(buildProgram()).map((each) => [`${each.parent!.name()} ${each.name()}`, each] as const))(
  'help of %s says what is required, and ends with an example that has it',
  (_, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) });
    command.outputHelp();
    const [, example = ''] = help.split('Example:');
    for (const { long, mandatory } of command.options) {
      if (!mandatory) continue;
      expect(help.split('\n').find((line) => line.trim().startsWith(long!))).toContain('required');
      expect(example).toContain(long);
    }
    expect(example).toContain(command.name());
  },
);

test('bash completes nouns, verbs and flags', () => {
  const script = completionScript(buildProgram(), 'bash');
  const complete = (...words: string[]): string[] =>
    execFileSync('bash', [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _admin; echo "\${COMPREPLY[*]}"`,
      '_',
      'admin',
      ...words,
    ])
      .toString()
      .trim()
      .split(' ');
  expect(complete('inv')).toEqual(['invoice']);
  expect(complete('clock', '')).toEqual(['show', 'set', 'advance', 'clear']);
  expect(complete('clock', 'set', '--')).toEqual(expect.arrayContaining(['--org', '--at', '--json']));
});
