import { Option, type Command } from 'commander';
import { operatorCall } from '../platform';
import { apiKeyOf, withKeyFlags, type KeyFlags } from '../provider-key';
import { verb } from '../verb';

interface ProviderFlags extends KeyFlags {
  org: string;
  provider: string;
  baseUrl?: string;
}

/** `provider connect|list`: the payment provider accounts of an organisation. */
export function addProvider(program: Command): void {
  const provider = program.command('provider').description('payment provider accounts');

  const connect = verb<ProviderFlags>(
    provider,
    'connect',
    "connect an organisation's payment provider account",
    (services, flags) =>
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
    );
  withKeyFlags(connect, "the provider's key, of the organisation's mode").option(
    '--base-url <url>',
    "another address of the provider's API, public https",
  );

  verb<{ org: string }>(
    provider,
    'list',
    'connected accounts',
    async (services, flags) =>
      (await services.providers.listProviders({ organizationId: flags.org }, operatorCall())).accounts,
  ).requiredOption('--org <id>');
}
