import { Option, type Command } from 'commander';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface ProviderFlags extends Record<string, unknown> {
  org: string;
  provider: string;
  apiKey?: string;
  baseUrl?: string;
}

export function addProvider(program: Command): void {
  const provider = program.command('provider').description('payment provider accounts');

  verb<ProviderFlags>(provider, 'connect', "connect an organisation's payment provider account", (services, flags) =>
    services.providers.connectProvider(
      { organizationId: flags.org, provider: flags.provider, apiKey: flags.apiKey, baseUrl: flags.baseUrl },
      operatorCall(),
    ),
  )
    .requiredOption('--org <id>')
    .addOption(
      new Option('--provider <name>', 'sandbox: play money, for an organisation made with --mode test')
        .choices(['sandbox', 'mollie'])
        .makeOptionMandatory(),
    )
    .option('--api-key <key>', "the provider's key")
    .option('--base-url <url>', "another address of the provider's API");

  verb<{ org: string }>(
    provider,
    'list',
    'connected accounts',
    async (services, flags) =>
      (await services.providers.listProviders({ organizationId: flags.org }, operatorCall())).accounts,
  ).requiredOption('--org <id>');
}
