import type { Command } from 'commander';

/** Shells that `admin completion` knows. */
export const SHELLS = ['bash', 'zsh'] as const;

/**
 * A script that completes nouns, verbs and flags of a command called `admin`. bash's own completion serves both shells: zsh loads it by
 * bashcompinit.
 */
export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  const rows = commandsOf(program).map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`);
  return [
    ...(shell === 'zsh' ? ['autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit'] : []),
    '_admin() {',
    '  local path= word words=',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do case $word in -*) break ;; *) path="$path $word" ;; esac; done',
    '  case "${path# }" in',
    ...rows,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _admin admin',
  ].join('\n');
}

interface Completed {
  readonly path: string;
  readonly words: readonly string[];
}

function commandsOf(command: Command, path: readonly string[] = []): Completed[] {
  const flags = path.length > 0 ? command.options.flatMap(({ long }) => long ?? []) : [];
  const words = [...command.commands.map((each) => each.name()), ...(command.commands.length > 0 ? [] : flags)];
  return [
    { path: path.join(' '), words },
    ...command.commands.flatMap((each) => commandsOf(each, [...path, each.name()])),
  ];
}
