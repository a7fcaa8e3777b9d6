import { Option, type Command } from 'commander';
import { endpointOf, participantOf } from '@invoicing/rules';
import { operatorCall, type Services } from '../platform';
import { apiKeyOf, withKeyFlags, type KeyFlags } from '../provider-key';
import { verb } from '../verb';

interface ConnectFlags extends KeyFlags {
  org: string;
  accessPoint: string;
  legalEntity?: string;
  baseUrl?: string;
}

interface LookupFlags extends Record<string, unknown> {
  org: string;
  recipient?: string;
  customer?: string;
  refresh?: boolean;
}

// As long as the access point and the store may take together.
const CALL_MS = 30_000;

/** `peppol connect|accounts|lookup|send|list`: e-invoices over the Peppol network. */
export function addPeppol(program: Command): void {
  const peppol = program.command('peppol').description('e-invoices over the Peppol network');
  addConnect(peppol);

  verb<{ org: string }>(
    peppol,
    'accounts',
    'the connected access point',
    async (services, flags) =>
      (await services.deliveries.peppol.listAccessPoints({ organizationId: flags.org }, operatorCall())).accounts,
  ).requiredOption('--org <id>');

  verb<LookupFlags>(peppol, 'lookup', 'whether the network delivers invoices to a recipient', async (services, flags) =>
    services.deliveries.peppol.lookupRecipient(
      {
        organizationId: flags.org,
        participant: flags.recipient ?? (await participantOfCustomer(services, flags)),
        refresh: flags.refresh === true,
        onlyKnown: false,
      },
      operatorCall(CALL_MS),
    ),
  )
    .requiredOption('--org <id>')
    .addOption(new Option('--recipient <scheme:id>', 'e.g. 0208:0123456749').conflicts('customer'))
    .option('--customer <id>', 'by the register number or VAT id of a customer')
    .option('--refresh', 'ask the network, whatever is known');

  verb(
    peppol,
    'send <invoice>',
    'send an issued document that neither arrived nor is on its way',
    async (services, _flags, invoiceId) => {
      const { organizationId } = await services.invoices.getInvoice(
        { organizationId: '', invoiceId: invoiceId! },
        operatorCall(),
      );
      return services.deliveries.peppol.sendInvoice({ organizationId, invoiceId: invoiceId! }, operatorCall());
    },
  );

  verb<{ org?: string; invoice?: string }>(
    peppol,
    'list',
    'deliveries, newest first',
    async (services, flags) =>
      (
        await services.deliveries.peppol.listDeliveries(
          { organizationId: flags.org, invoiceId: flags.invoice, limit: 0 },
          operatorCall(),
        )
      ).deliveries,
  )
    .option('--org <id>')
    .option('--invoice <id>', 'those of one document; together with --org');
}

function addConnect(peppol: Command): void {
  const connect = verb<ConnectFlags>(peppol, 'connect', "connect an organisation's access point", (services, flags) =>
    services.deliveries.peppol.connectAccessPoint(
      {
        organizationId: flags.org,
        accessPoint: flags.accessPoint,
        apiKey: apiKeyOf(flags),
        senderId: flags.legalEntity,
        baseUrl: flags.baseUrl,
      },
      operatorCall(CALL_MS),
    ),
  )
    .requiredOption('--org <id>')
    .addOption(
      new Option('--access-point <name>', 'sandbox: sends nothing, for an organisation made with --mode test')
        .choices(['sandbox', 'storecove'])
        .makeOptionMandatory(),
    );
  withKeyFlags(connect, "the access point's key")
    .option('--legal-entity <id>', 'who sends: the number of a Storecove LegalEntity')
    .option('--base-url <url>', "another address of the access point's API, public https");
}

/** As the network finds a customer. */
async function participantOfCustomer({ customers }: Services, { org, customer }: LookupFlags): Promise<string> {
  if (customer === undefined) throw new Error('--recipient or --customer is needed');
  const { details } = await customers.getCustomer({ organizationId: org, customerId: customer }, operatorCall());
  const { countryCode = '', kvkNumber = '', btwId = '' } = details ?? {};
  const address = endpointOf({ countryCode, kvkNumber, btwId });
  if (!address) throw new Error('the customer has no register number or VAT id that the network knows');
  return participantOf(address);
}
