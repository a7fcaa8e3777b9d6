import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface ProviderFlags extends Record<string, unknown> {
  org: string;
  provider: string;
  apiKey?: string;
  apiKeyFile?: string;
  baseUrl?: string;
}

/** `provider connect|list`: the payment provider accounts of an organisation. */
export function addProvider(program: Command): void {
  const provider = program.command('provider').description('payment provider accounts');

  verb<ProviderFlags>(provider, 'connect', "connect an organisation's payment provider account", (services, flags) =>
    services.providers.connectProvider(
      { organizationId: flags.org, provider: flags.provider, apiKey: apiKeyOf(flags), baseUrl: flags.baseUrl },
      operatorCall(),
    ),
  )
    .requiredOption('--org <id>')
    .addOption(
      new Option('--provider <name>', 'sandbox: play money, for an organisation made with --mode test')
        .choices(['sandbox', 'mollie'])
        .makeOptionMandatory(),
    )
    .option('--api-key <key>', "the provider's key, of the organisation's mode; - reads it from standard input")
    .addOption(new Option('--api-key-file <file>', 'reads the key from a file').conflicts('apiKey'))
    .option('--base-url <url>', "another address of the provider's API, public https");

  verb<{ org: string }>(
    provider,
    'list',
    'connected accounts',
    async (services, flags) =>
      (await services.providers.listProviders({ organizationId: flags.org }, operatorCall())).accounts,
  ).requiredOption('--org <id>');
}

/** A key on the command line shows in the list of processes; from a file or standard input it does not. */
function apiKeyOf({ apiKey, apiKeyFile }: ProviderFlags): string | undefined {
  if (apiKeyFile !== undefined) return readFileSync(apiKeyFile, 'utf8').trim();
  return apiKey === '-' ? readFileSync(0, 'utf8').trim() : apiKey;
}
