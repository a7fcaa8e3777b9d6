import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type {
  Frequency,
  Subscription,
  SubscriptionStatus,
} from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { enumOf, wordOf } from '../enum-names';
import { operatorCall, type Services } from '../platform';
import { verb } from '../verb';
import { wholeNumber } from './invoice-account';
import { lineInput, type FileLine } from './line-file';

interface Org extends Record<string, unknown> {
  /** An operator needs none: an id names one subscription. */
  org?: string;
}

const LIST_LIMIT = 100;
const LONG_RUN_MS = 3_600_000;

interface Ran {
  invoices: string[];
  failed: object[];
}

const shown = ({ lines, laterTerms, ...subscription }: Subscription) => ({
  ...subscription,
  freq: wordOf('FREQUENCY', subscription.freq),
  status: wordOf('SUBSCRIPTION_STATUS', subscription.status),
  lineCount: lines.length,
  ...(laterTerms.length > 0 && {
    laterTerms: laterTerms.map(({ from, fields, details }) => ({
      from,
      ...Object.fromEntries(fields.map((field) => [field, details?.[field as keyof typeof details]])),
    })),
  }),
});

const withLines = (subscription: Subscription) => ({
  ...shown(subscription),
  lines: subscription.lines.map((line) => ({ ...line, vatTreatment: wordOf('VAT_TREATMENT', line.vatTreatment) })),
});

/** Invoices by what people know them by. */
async function rowsOf(ids: readonly string[], { invoices }: Services): Promise<object[]> {
  const rows: object[] = [];
  for (const invoiceId of ids) {
    const invoice = await invoices.getInvoice({ organizationId: '', invoiceId }, operatorCall());
    const { number, status, issueDate, dueDate, buyer, seller, customerId, totals } = invoice;
    rows.push({
      ...{ number, issueDate, dueDate, seller: seller?.name, totalCents: totals?.inclCents },
      status: wordOf('INVOICE_STATUS', status),
      customer: buyer?.companyName || buyer?.name || customerId,
    });
  }
  return rows;
}

/** `subscriptions run`, and the verbs of one schedule under both nouns: `subscriptions` is the older one. */
export function addSubscriptions(program: Command): void {
  const subscriptions = program.command('subscriptions').description('recurring schedules of all organisations');
  addRun(subscriptions);
  addList(subscriptions);
  addVerbsOfOne(subscriptions);

  const subscription = program.command('subscription').description('recurring schedules of an organisation');
  addPages(subscription);
  addVerbsOfOne(subscription);
  addUpdate(subscription);
}

function addRun(noun: Command): void {
  verb<{ asOf?: string }, Ran>(
    noun,
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
}

interface ListFlags {
  org: string;
  status?: string;
  customer?: string;
  cursor?: string;
  [flag: string]: unknown;
}

/** `subscriptions list` has always answered the newest as one list; `subscription list` answers pages. */
function addList(noun: Command): void {
  verb<ListFlags>(noun, 'list', 'schedules, newest first', async (services, flags) => {
    const { subscriptions } = await pageOf(services, flags);
    return subscriptions;
  }).requiredOption('--org <id>');
}

function addPages(noun: Command): void {
  verb<ListFlags>(noun, 'list', 'schedules, newest first', pageOf)
    .requiredOption('--org <id>')
    .addOption(new Option('--status <status>').choices(['active', 'paused', 'ended']))
    .option('--customer <id>', "only this customer's")
    .option('--cursor <cursor>', 'as the page before answered it');
}

async function pageOf(services: Services, { org, status, customer: customerId, cursor: from }: ListFlags) {
  const found: Subscription[] = [];
  const asked = { organizationId: org, profileId: undefined, customerId };
  const wanted = status ? enumOf<SubscriptionStatus>('SUBSCRIPTION_STATUS', status) : undefined;
  let cursor = from;
  do {
    const request = { ...asked, status: wanted, limit: LIST_LIMIT - found.length, cursor };
    const page = await services.subscriptions.listSubscriptions(request, operatorCall());
    found.push(...page.subscriptions);
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < LIST_LIMIT);
  return { subscriptions: found.map(shown), cursor: cursor ?? null };
}

function addVerbsOfOne(noun: Command): void {
  const ofOne = (
    name: string,
    description: string,
    method: 'getSubscription' | 'pauseSubscription' | 'resumeSubscription' | 'endSubscription',
  ): Command =>
    verb<Org>(noun, `${name} <id>`, description, async ({ subscriptions }, { org = '' }, id) =>
      withLines(await subscriptions[method]({ organizationId: org, subscriptionId: id! }, operatorCall())),
    ).option('--org <id>', 'only if it belongs to this organisation');

  ofOne('show', 'one schedule, with its last error', 'getSubscription');
  ofOne('pause', 'make no invoices until resumed', 'pauseSubscription');
  ofOne('resume', 'go on; periods in the pause are skipped', 'resumeSubscription');
  ofOne('end', 'end a schedule for good', 'endSubscription');

  verb<Org & { count: string }>(
    noun,
    'preview <id>',
    'the next dates and amounts',
    async ({ subscriptions }, { org = '', count }, id) => {
      const request = { organizationId: org, subscriptionId: id!, count: Number(count) };
      return (await subscriptions.previewSubscription(request, operatorCall())).occurrences;
    },
  )
    .option('--org <id>', 'only if it belongs to this organisation')
    .option('--count <n>', 'how many', '12');
}

interface UpdateFlags extends Org {
  from?: string;
  unitPriceCents?: number;
  line: number;
  file?: string;
  freq?: string;
  interval?: number;
  reference?: string;
  note?: string;
  clear?: string[];
  revision?: number;
}

function addUpdate(noun: Command): void {
  verb<UpdateFlags>(
    noun,
    'update <id>',
    'change what later invoices say; what was made stays',
    async ({ subscriptions }, flags, id) => {
      const {
        org: organizationId = '',
        from,
        unitPriceCents,
        line,
        file,
        freq,
        clear = [],
        revision,
        ...given
      } = flags;
      const named = { organizationId, subscriptionId: id! };
      const seen = await subscriptions.getSubscription(named, operatorCall());
      const lines = file
        ? linesOf(file)
        : unitPriceCents === undefined
          ? undefined
          : priced(seen, line, unitPriceCents);
      const changes = {
        ...given,
        ...(lines && { lines }),
        ...(freq && { freq: enumOf<Frequency>('FREQUENCY', freq) }),
      };
      const details = {
        freq: 'FREQUENCY_UNSPECIFIED' as Frequency,
        autoSendEmail: false,
        autoSendPost: false,
        lines: [],
        ...changes,
      };
      const request = { ...named, details, from, updateMask: [...Object.keys(changes), ...clear] };
      return withLines(
        await subscriptions.updateSubscription({ ...request, revision: revision ?? seen.revision }, operatorCall()),
      );
    },
  )
    .option('--org <id>', 'only if it belongs to this organisation')
    .option('--from <date>', 'from the first period that begins on it or later; from the next one when left out')
    .option('--unit-price-cents <n>', 'of one line', wholeNumber)
    .option('--line <n>', 'which line, from 0', wholeNumber, 0)
    .option('--file <file>', 'JSON: the lines, as in the API')
    .option('--freq <word>', 'weekly, monthly, quarterly or yearly')
    .option('--interval <n>', 'every so many periods', wholeNumber)
    .option('--reference <text>', "the buyer's own")
    .option('--note <text>', 'shown on each document')
    .option('--auto-send-email', 'issue and e-mail each invoice')
    .option('--auto-send-post', 'issue and post each invoice')
    .option('--clear <fields>', 'fields to empty, e.g. note,autoSendPost', (text) => text.split(','))
    .option('--revision <n>', 'refuse when it has changed since this revision', Number);
}

const linesOf = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as FileLine[]).map(lineInput);

function priced({ lines, laterTerms }: Subscription, index: number, unitPriceCents: number) {
  // On top of what is to come already.
  const last = laterTerms.findLast(({ fields }) => fields.includes('lines'))?.details?.lines ?? lines;
  if (!last[index]) throw new Error(`--line: there is no line ${index}`);
  return last.map((line, at) => (at === index ? { ...line, unitPriceCents } : line));
}
