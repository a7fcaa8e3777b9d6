import { Option, type Command } from 'commander';
import {
  BillingStatus,
  EInvoiceRules,
  Mode,
  Plan,
  type Organization,
  type OrganizationDetails,
} from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { enumOf, wordOf } from '../enum-names';
import { operatorCall, type Services } from '../platform';
import { verb } from '../verb';

interface DetailFlags extends Record<string, unknown> {
  name?: string;
  country?: string;
  kvkNumber?: string;
  btwId?: string;
  iban?: string;
  bic?: string;
  email?: string;
  phone?: string;
  addressLine1?: string;
  postalCode?: string;
  city?: string;
  timezone?: string;
  vatExemptionReason?: string;
  plan?: string;
}

interface PolicyFlags {
  billingStatus?: string;
  closedUntil?: string;
  issueDaysBack?: number;
  issueDaysAhead?: number;
  mailQuota?: number;
  catchUpPeriods?: number;
  eInvoice?: string;
  strict?: boolean;
}

const withDetails = (command: Command): Command =>
  command
    .option('--country <code>', 'ISO 3166-1 alpha-2')
    .option('--kvk-number <number>', 'chamber of commerce number')
    .option('--btw-id <id>', 'VAT identification number')
    .option('--iban <iban>')
    .option('--bic <bic>')
    .option('--email <address>', 'address for replies')
    .option('--phone <number>', 'for questions about invoices; XRechnung wants it')
    .option('--address-line1 <text>', 'street and house number')
    .option('--postal-code <code>')
    .option('--city <name>')
    .option('--timezone <zone>', 'IANA zone of business dates')
    .option('--vat-exemption-reason <text>', 'the provision that exempt lines name')
    .addOption(new Option('--plan <plan>').choices(['standard', 'free']));

const detailsOf = (flags: DetailFlags): OrganizationDetails => ({
  name: flags.name,
  countryCode: flags.country,
  kvkNumber: flags.kvkNumber,
  btwId: flags.btwId,
  iban: flags.iban,
  bic: flags.bic,
  email: flags.email,
  phone: flags.phone,
  addressLine1: flags.addressLine1,
  postalCode: flags.postalCode,
  city: flags.city,
  timezone: flags.timezone,
  vatExemptionReason: flags.vatExemptionReason,
});

const withPolicy = (command: Command): Command =>
  command
    .addOption(new Option('--billing-status <status>', 'arrears blocks sending').choices(['active', 'arrears']))
    .option(
      '--closed-until <date>',
      'nothing may be issued that is dated on this day or before; none opens the books again',
    )
    .option('--issue-days-back <days>', 'how far back a caller may date what is sent (365)', Number)
    .option('--issue-days-ahead <days>', 'how far ahead a caller may date what is sent (60)', Number)
    .addOption(
      new Option('--e-invoice <rules>', 'Peppol BIS 3, or NLCIUS and XRechnung where the countries have them').choices([
        'peppol',
        'national',
      ]),
    )
    .option('--strict', 'refuse VAT treatments that the law would not accept')
    .option('--no-strict', 'warn about them only')
    .option('--mail-quota <count>', 'e-mails a day (1000); what is over waits for the next day', Number)
    .option(
      '--catch-up-periods <count>',
      'how many periods back a new subscription may start and be invoiced for (1)',
      Number,
    );

const policyOf = (flags: PolicyFlags) => ({
  billingStatus: flags.billingStatus
    ? enumOf<BillingStatus>('BILLING_STATUS', flags.billingStatus)
    : BillingStatus.UNSPECIFIED,
  issuePolicy: {
    closedUntil: flags.closedUntil === 'none' ? '' : flags.closedUntil,
    daysBack: flags.issueDaysBack,
    daysAhead: flags.issueDaysAhead,
  },
  limits: { mailQuotaPerDay: flags.mailQuota, catchUpPeriods: flags.catchUpPeriods },
  documentRules: {
    eInvoice: flags.eInvoice ? enumOf<EInvoiceRules>('E_INVOICE_RULES', flags.eInvoice) : EInvoiceRules.UNSPECIFIED,
    strict: flags.strict,
  },
});

const planOf = (plan: string | undefined): Plan => (plan ? enumOf<Plan>('PLAN', plan) : Plan.UNSPECIFIED);

const shown = ({
  details,
  plan,
  billingStatus,
  mode,
  profiles,
  issuePolicy,
  limits,
  documentRules,
  ...organization
}: Organization) => ({
  ...organization,
  ...details,
  plan: wordOf('PLAN', plan),
  billingStatus: wordOf('BILLING_STATUS', billingStatus),
  mode: wordOf('MODE', mode),
  closedUntil: issuePolicy?.closedUntil || null,
  issueDaysBack: issuePolicy?.daysBack,
  issueDaysAhead: issuePolicy?.daysAhead,
  mailQuota: limits?.mailQuotaPerDay,
  catchUpPeriods: limits?.catchUpPeriods,
  eInvoice: documentRules && wordOf('E_INVOICE_RULES', documentRules.eInvoice),
  strict: documentRules?.strict,
  profile: { id: profiles[0]?.id, name: profiles[0]?.name },
  profiles: profiles.map(({ id, name, numberFormat }) => ({ id, name, numberFormat })),
});

export function addOrg(program: Command): void {
  const org = program.command('org').description('organisations: the sellers');

  withDetails(
    verb<DetailFlags & { name: string; mode?: string }>(
      org,
      'create',
      'create an organisation with its default profile',
      async (services, flags) =>
        shown(
          await services.organizations.createOrganization(
            {
              details: detailsOf(flags),
              plan: planOf(flags.plan),
              mode: flags.mode ? enumOf<Mode>('MODE', flags.mode) : Mode.UNSPECIFIED,
            },
            operatorCall(),
          ),
        ),
    ),
  )
    .requiredOption('--name <name>', 'legal name')
    .addOption(
      new Option('--mode <mode>', 'a test organisation can use the sandbox payment provider').choices(['live', 'test']),
    );

  verb(org, 'show <id>', 'one organisation', async (services, _flags, id) =>
    shown(await services.organizations.getOrganization({ organizationId: id! }, operatorCall())),
  );

  verb(org, 'list', 'all organisations, newest first', async (services) => (await every(services)).map(shown));

  withPolicy(
    withDetails(
      verb<DetailFlags & PolicyFlags>(org, 'set <id>', 'change what is given', async (services, flags, id) =>
        shown(
          await services.organizations.updateOrganization(
            {
              organizationId: id!,
              details: detailsOf(flags),
              plan: planOf(flags.plan),
              ...policyOf(flags),
            },
            operatorCall(),
          ),
        ),
      ),
    ),
  ).option('--name <name>', 'legal name');
}

/** Every organisation, page after page. */
async function every({ organizations }: Pick<Services, 'organizations'>): Promise<Organization[]> {
  const found: Organization[] = [];
  let cursor: string | undefined;
  do {
    const page = await organizations.listOrganizations({ cursor }, operatorCall());
    found.push(...page.organizations);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return found;
}
