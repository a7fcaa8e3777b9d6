import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  type AccountChange,
  type AccountEntry,
  type InvoiceAccount,
  type WriteOffReason,
} from '@invoicing/contracts/invoicing/billing/v1/account';
import { type CallContext } from '@invoicing/rpc';
import { enumOf, wordOf } from '../enum-names';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface Org extends Record<string, unknown> {
  /** An operator needs none: an id names one invoice. */
  org?: string;
}

const withOrg = (command: Command): Command => command.option('--org <id>', 'only if it belongs to this organisation');

const operation = (): CallContext => ({ ...operatorCall(), operationId: randomUUID() });

const named = (flags: Org, id: string | undefined) => ({ organizationId: flags.org ?? '', invoiceId: id! });

/** `--amount-cents 12100`: nothing is ever rounded. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('must be a whole number.');
  return number;
}

/** What is owed, as `invoice show` and every verb that changes it tell. */
export const shownAccount = ({ invoiceId: _, state, ...account }: InvoiceAccount) => ({
  state: wordOf('ACCOUNT_STATE', state),
  ...account,
});

type ShownEntry = Partial<Omit<AccountEntry, 'type' | 'progress'>> & { type: string; progress: string };

/** Fields that say nothing are left out. */
const shownEntry = ({ id, type, amountCents, date, by, at, progress, ...rest }: AccountEntry): ShownEntry => ({
  id,
  type: wordOf('ENTRY_TYPE', type),
  amountCents,
  date,
  by,
  at,
  progress: wordOf('ENTRY_PROGRESS', progress),
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== '')),
});

/** What people read of an entry, narrow enough for a table. */
const rowOf = ({ id, date, type, amountCents, by, progress, ...rest }: ShownEntry) => ({
  id,
  date,
  type,
  amountCents,
  by,
  progress,
  of: rest.number ?? [rest.provider, rest.method].filter(Boolean).join(' '),
  remark: [rest.reference, rest.reason, rest.note].filter(Boolean).join(' · '),
});

/** What a change made, and where the account stands: the id asked for and the status first, as scripts look for them. */
const changed = (id: string, { entries, account }: AccountChange) => ({
  id,
  status: wordOf('ACCOUNT_STATE', account!.state),
  openCents: account!.openCents,
  surplusCents: account!.surplusCents,
  ...(entries[0] && { entryId: entries[0].id }),
  entries: entries.map(shownEntry),
});

/** What happens to an invoice after it was issued: money in, money out, and mistakes taken back. */
export function addInvoiceAccount(program: Command, invoice: Command): void {
  withOrg(
    verb<Org & { amountCents: number; date?: string; reference?: string; note?: string; method: string }>(
      invoice,
      'pay <id>',
      'record money that came in by bank or in cash',
      async ({ accounts }, flags, id) => {
        const { amountCents, method, date, reference = '', note = '' } = flags;
        const payment = { ...named(flags, id), amountCents, date, reference, note, provider: method };
        const request = { ...payment, method: '', providerId: '', paidAt: undefined };
        return changed(id!, await accounts.recordPayment(request, operation()));
      },
    ),
  )
    .requiredOption('--amount-cents <n>', 'what came in', wholeNumber)
    .addOption(new Option('--method <method>').choices(['bank', 'cash']).default('bank'))
    .option('--date <date>', 'when it came in; today when left out')
    .option('--reference <text>', 'what the statement says')
    .option('--note <text>', 'for the books');

  withOrg(
    verb<Org, ShownEntry[]>(
      invoice,
      'payments <id>',
      'all that happened on its account, oldest first',
      async ({ accounts }, flags, id) =>
        (await accounts.listEntries(named(flags, id), operatorCall())).entries.map(shownEntry),
      (entries) => entries.map(rowOf),
    ),
  );
  addRefund(invoice);
  addGivingUp(invoice);

  const payment = program.command('payment').description("entries on invoices' accounts");
  withOrg(
    verb<Org & { reason: string }>(
      payment,
      'reverse <entryId>',
      'take back an entry that was made by hand: it counts as if it had never been',
      async ({ accounts }, flags, entryId) => {
        const request = { organizationId: flags.org ?? '', entryId: entryId!, reason: flags.reason };
        const change = await accounts.reverseEntry(request, operation());
        return changed(change.account!.invoiceId, change);
      },
    ),
  ).requiredOption('--reason <text>', 'why; it stays on the account');
}

function addRefund(invoice: Command): void {
  withOrg(
    verb<Org & RefundFlags>(
      invoice,
      'refund <id>',
      'give money back: through its provider, or as recorded by bank or in cash; credits the same amount',
      async ({ accounts }, flags, id) => {
        const { amountCents, reason = '', method = '', keepOpen = false, payment, date, reference = '' } = flags;
        const how = { through: method, keepOpen, entryId: payment, date, reference, surplusOnly: false };
        return changed(
          id!,
          await accounts.refundPayment({ ...named(flags, id), amountCents, reason, ...how }, operation()),
        );
      },
    ),
  )
    .option('--amount-cents <n>', 'all that was received when left out', wholeNumber)
    .option('--reason <text>', 'shown on the credit note')
    .option('--keep-open', 'credit nothing: the invoice is to be paid again')
    .option('--payment <entryId>', 'the payment to give back; the newest that has enough when left out')
    .addOption(new Option('--method <method>', 'it went back already').choices(['bank', 'cash']))
    .option('--date <date>', 'with --method: when it went back')
    .option('--reference <text>', 'with --method: what the statement says');

  withOrg(
    verb<Org & { to: string; amountCents?: number }>(
      invoice,
      'move <id>',
      'move what was paid too much to another invoice of the customer',
      async ({ accounts }, flags, id) => {
        const request = { ...named(flags, id), toInvoiceId: flags.to, amountCents: flags.amountCents };
        return changed(id!, await accounts.moveSurplus(request, operation()));
      },
    ),
  )
    .requiredOption('--to <id>', 'the other invoice')
    .option('--amount-cents <n>', 'all of it, as far as the other invoice is open, when left out', wholeNumber);
}

interface RefundFlags {
  amountCents?: number;
  reason?: string;
  method?: string;
  keepOpen?: boolean;
  payment?: string;
  date?: string;
  reference?: string;
}

function addGivingUp(invoice: Command): void {
  withOrg(
    verb<Org & { amountCents?: number; reason: string; note?: string }>(
      invoice,
      'write-off <id>',
      'give up what is open, whole or in part',
      async ({ accounts }, flags, id) => {
        const { amountCents, note = '' } = flags;
        const reason = enumOf<WriteOffReason>('WRITE_OFF_REASON', flags.reason.replace('-', '_'));
        return changed(id!, await accounts.writeOff({ ...named(flags, id), amountCents, reason, note }, operation()));
      },
    ),
  )
    .addOption(new Option('--reason <reason>').choices(['rounding', 'bad-debt', 'bad_debt']).makeOptionMandatory())
    .option('--amount-cents <n>', 'all that is open when left out', wholeNumber)
    .option('--note <text>', 'for the books');
}
