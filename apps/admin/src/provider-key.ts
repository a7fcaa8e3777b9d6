import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';

/** How a key of a provider is given. */
export interface KeyFlags extends Record<string, unknown> {
  apiKey?: string;
  apiKeyFile?: string;
}

/** A key on the command line shows in the list of processes; from a file or standard input it does not. */
export function apiKeyOf({ apiKey, apiKeyFile }: KeyFlags): string | undefined {
  if (apiKeyFile !== undefined) return readFileSync(apiKeyFile, 'utf8').trim();
  return apiKey === '-' ? readFileSync(0, 'utf8').trim() : apiKey;
}

export const withKeyFlags = (command: Command, what: string): Command =>
  command
    .option('--api-key <key>', `${what}; - reads it from standard input`)
    .addOption(new Option('--api-key-file <file>', 'reads the key from a file').conflicts('apiKey'));
