import type { Command } from 'commander';
import type { Subscription } from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { wordOf } from '../enum-names';
import { operatorCall, type Services } from '../platform';
import { verb } from '../verb';

interface Org extends Record<string, unknown> {
  org: string;
}

const LIST_LIMIT = 100;
const LONG_RUN_MS = 3_600_000;

interface Ran {
  invoices: string[];
  failed: object[];
}

const shown = ({ lines, ...subscription }: Subscription) => ({
  ...subscription,
  freq: wordOf('FREQUENCY', subscription.freq),
  status: wordOf('SUBSCRIPTION_STATUS', subscription.status),
  lineCount: lines.length,
});

/** Invoices by what people know them by. */
async function rowsOf(ids: readonly string[], { invoices }: Services): Promise<object[]> {
  const rows: object[] = [];
  for (const invoiceId of ids) {
    const invoice = await invoices.getInvoice({ organizationId: '', invoiceId }, operatorCall());
    const { number, issueDate, buyer, seller, customerId, totals } = invoice;
    rows.push({
      number,
      issueDate,
      customer: buyer?.companyName || buyer?.name || customerId,
      totalInclCents: totals?.inclCents,
      seller: seller?.name,
    });
  }
  return rows;
}

export function addSubscriptions(program: Command): void {
  const subscriptions = program.command('subscriptions').description('recurring schedules');

  verb<{ asOf?: string }, Ran>(
    subscriptions,
    'run',
    'make every invoice due by a date, for all organisations; the platform does so by itself when they fall due',
    async (services, flags) => {
      const invoices: string[] = [];
      const failed: object[] = [];
      const run = services.subscriptions.runSubscriptions({ asOf: flags.asOf }, operatorCall(LONG_RUN_MS));
      for await (const made of run) {
        if (made.invoiceId) invoices.push(made.invoiceId);
        else failed.push({ subscriptionId: made.subscriptionId, periodDate: made.periodDate, error: made.error });
        if (process.stderr.isTTY) process.stderr.write(`\r${invoices.length} invoices, ${failed.length} failed`);
      }
      if (process.stderr.isTTY) process.stderr.write('\n');
      return { invoices, failed };
    },
    async ({ invoices, failed }, services) => ({
      invoices: await rowsOf(invoices, services),
      ...(failed.length > 0 && { failed }),
    }),
  ).option('--as-of <date>', 'YYYY-MM-DD; a future one really issues what is due until then; today when left out');

  const ofOrg = (usage: string, description: string, run: Parameters<typeof verb<Org>>[3]): Command =>
    verb<Org>(subscriptions, usage, description, run).requiredOption('--org <id>');

  ofOrg('list', 'schedules, newest first', async (services, flags) => {
    const found: Subscription[] = [];
    let cursor: string | undefined;
    do {
      const request = { organizationId: flags.org, profileId: undefined, limit: LIST_LIMIT - found.length, cursor };
      const page = await services.subscriptions.listSubscriptions(request, operatorCall());
      found.push(...page.subscriptions);
      cursor = page.cursor;
    } while (cursor !== undefined && found.length < LIST_LIMIT);
    return found.map(shown);
  });
  ofOrg('show <id>', 'one schedule, with its last error', async (services, flags, id) =>
    shown(
      await services.subscriptions.getSubscription({ organizationId: flags.org, subscriptionId: id! }, operatorCall()),
    ),
  );
  ofOrg('pause <id>', 'make no invoices until resumed', async (services, flags, id) =>
    shown(
      await services.subscriptions.pauseSubscription(
        { organizationId: flags.org, subscriptionId: id! },
        operatorCall(),
      ),
    ),
  );
  ofOrg('resume <id>', 'go on; periods in the pause are skipped', async (services, flags, id) =>
    shown(
      await services.subscriptions.resumeSubscription(
        { organizationId: flags.org, subscriptionId: id! },
        operatorCall(),
      ),
    ),
  );
  ofOrg('end <id>', 'end a schedule for good', async (services, flags, id) =>
    shown(
      await services.subscriptions.endSubscription({ organizationId: flags.org, subscriptionId: id! }, operatorCall()),
    ),
  );
  verb<Org & { count: string }>(
    subscriptions,
    'preview <id>',
    'the next dates and amounts',
    async (services, flags, id) =>
      (
        await services.subscriptions.previewSubscription(
          { organizationId: flags.org, subscriptionId: id!, count: Number(flags.count) },
          operatorCall(),
        )
      ).occurrences,
  )
    .requiredOption('--org <id>')
    .option('--count <n>', 'how many', '12');
}
