import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, type Command } from 'commander';
import {
  type InterestRate,
  type Reminder,
  type ReminderException,
  type ReminderStep,
} from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { wordOf } from '../enum-names';
import { operatorCall } from '../platform';
import { counted } from '../verdicts';
import { concluded, verb } from '../verb';
import { wholeNumber } from './invoice-account';

const LONG_RUN_MS = 3_600_000;

interface Org extends Record<string, unknown> {
  org: string;
}

/** `7,14,28`. */
const dayList = (text: string): number[] => text.split(',').map(wholeNumber);

/** `consumer:2027-01-01:600`: a kind, the first day, basis points a year. */
function rate(text: string, all: readonly InterestRate[]): InterestRate[] {
  const [kind = '', from = '', bps, ...more] = text.split(':');
  if (bps === undefined || more.length > 0) throw new InvalidArgumentError('must be KIND:DATE:BPS.');
  return [...all, { kind, from, bps: wholeNumber(bps) }];
}

const shown = ({ state, ...reminder }: Reminder) => ({ ...reminder, state: wordOf('REMINDER_STATE', state) });

/** Its claim in columns of its own. */
const rowOf = ({ claim, ...reminder }: Pick<Reminder, 'claim'> & Record<string, unknown>) => ({
  ...reminder,
  ...claim,
});

/** Adds the verbs of reminders; `reminders run` is what the platform does by itself every morning. */
export function addReminders(program: Command): void {
  const reminder = program.command('reminder').description('reminders of overdue invoices');
  addSettings(reminder);
  addLists(reminder);
  addRun(reminder);
  addRun(program.command('reminders').description('reminders of all organisations'));
}

interface Settings extends Org {
  profile?: string;
  on?: boolean;
  off?: boolean;
  days?: number[];
  costsFrom?: number;
  interestFrom?: number;
  postFrom?: number;
  rate: InterestRate[];
  texts?: string;
}

function addSettings(noun: Command): void {
  verb<Settings>(
    noun,
    'settings',
    'how an organisation, or one of its profiles, reminds; without flags: as it is',
    async (
      { receivables: { reminders } },
      { org, profile, on, off, days, costsFrom, interestFrom, postFrom, rate: rates, texts },
    ) => {
      const named = { organizationId: org, profileId: profile };
      const now = await reminders.getReminderPlan(named, operatorCall());
      const asked =
        [on, off, days, costsFrom, interestFrom, postFrom, texts].some((each) => each !== undefined) ||
        rates.length > 0;
      if (!asked) return now;
      const said =
        texts === undefined ? undefined : (JSON.parse(readFileSync(texts, 'utf8')) as ReminderStep['texts'][]);
      const steps = (days ?? now.steps.map(({ afterDays }) => afterDays)).map((afterDays, at) => ({
        afterDays,
        costs: costsFrom === undefined ? (now.steps[at]?.costs ?? false) : costsFrom > 0 && at + 1 >= costsFrom,
        interest:
          interestFrom === undefined ? (now.steps[at]?.interest ?? false) : interestFrom > 0 && at + 1 >= interestFrom,
        channel:
          postFrom === undefined ? now.steps[at]?.channel : postFrom > 0 && at + 1 >= postFrom ? 'post' : 'email',
        texts: said?.[at] ?? now.steps[at]?.texts ?? [],
      }));
      const enabled = on === true || (off !== true && now.enabled);
      const request = { ...named, enabled, steps, rates: rates.length > 0 ? rates : now.rates };
      return reminders.setReminderPlan(request, operatorCall());
    },
  )
    .requiredOption('--org <id>')
    .option('--profile <id>', 'of one profile; else of the organisation')
    .option('--on', 'reminders are sent')
    .option('--off', 'no more')
    .option('--days <list>', 'days after the due date, a reminder each, e.g. 7,14,28', dayList)
    .option(
      '--costs-from <n>',
      'the statutory collection costs from this reminder on (1 is the first; 0: never)',
      wholeNumber,
    )
    .option('--interest-from <n>', 'the statutory interest from this reminder on (0: never)', wholeNumber)
    .option('--post-from <n>', 'by letter, for a mail credit each, from this reminder on (0: never)', wholeNumber)
    .option(
      '--rate <kind:date:bps>',
      'a rate of your own: consumer or business, from a day on; again for more',
      rate,
      [],
    )
    .option('--texts <file>', 'JSON: for each reminder a list of { language, text }');
}

function addLists(noun: Command): void {
  verb<Org & { invoice?: string; limit: number }, ReturnType<typeof shown>[]>(
    noun,
    'list',
    'reminders, newest first, with what each asked for',
    async ({ receivables: { reminders } }, { org, invoice, limit }) => {
      const request = { organizationId: org, invoiceId: invoice, limit, cursor: undefined };
      return (await reminders.listReminders(request, operatorCall())).reminders.map(shown);
    },
    (reminders) => reminders.map(rowOf),
  )
    .requiredOption('--org <id>')
    .option('--invoice <id>', 'only of this invoice')
    .option('--limit <n>', 'how many', wholeNumber, 100);

  verb<Org & { customer?: string; invoice?: string; reason?: string; remove?: boolean }, ReminderException[]>(
    noun,
    'except',
    'a customer or an invoice is reminded no more, or again; without either: who is not',
    async ({ receivables: { reminders } }, { org, customer, invoice, reason = '', remove = false }) => {
      if (customer === undefined && invoice === undefined)
        return (await reminders.listReminderExceptions({ organizationId: org }, operatorCall())).exceptions;
      const request = { organizationId: org, customerId: customer, invoiceId: invoice, remove, reason };
      const call = { ...operatorCall(), operationId: randomUUID() };
      return (await reminders.exceptFromReminders(request, call)).exceptions;
    },
    (exceptions) => ({ exceptions }),
  )
    .requiredOption('--org <id>')
    .option('--customer <id>')
    .option('--invoice <id>')
    .option('--reason <text>', 'why')
    .option('--remove', 'is reminded again');
}

interface ShownRun extends Pick<Reminder, 'invoiceId' | 'step' | 'channel' | 'number' | 'claim'> {
  readonly state: string;
  readonly why?: string;
  readonly [name: string]: unknown;
}

function addRun(noun: Command): void {
  verb<{ asOf?: string; org?: string }, { reminders: ShownRun[] }>(
    noun,
    'run',
    'make and send every reminder due by a date; the platform does so by itself every morning',
    async ({ receivables: { reminders } }, { asOf, org = '' }) => {
      const sent: ShownRun[] = [];
      const call = operatorCall(LONG_RUN_MS);
      for await (const each of reminders.runReminders({ asOf, organizationId: org }, call)) {
        const { invoiceId, number, step, channel, state, why, claim } = shown(each);
        sent.push({ invoiceId, step, channel, number, state, ...(why && { why }), claim });
      }
      return { reminders: sent };
    },
    ({ reminders }) => {
      const are = (wanted: string): number => reminders.filter(({ state }) => state === wanted).length;
      const verdict = `${counted(reminders.length, 'reminder')}: ${are('sent')} sent, ${are('due')} under way`;
      return concluded('reminder', reminders.map(rowOf), verdict);
    },
  )
    .option('--as-of <date>', 'YYYY-MM-DD; a future one really sends what is due until then; today when left out')
    .option('--org <id>', 'only of this organisation');
}
