import { grouped } from './grouped';
import type { History } from '../history';
import type { Received, Snapshot } from '../snapshot';
import { checkAccounts } from './check-accounts';
import { checkAmounts, checkNumbers } from './check-documents';
import { checkEInvoices, checkEvents, checkLeftovers, checkMails } from './check-facts';
import { checkAnswers, checkReplays, checkWrites } from './check-writes';
import { faultsOfSet, isLinearizableRegister } from './linearizable';

/** What each promise came to: its faults, none when it was kept. */
export type Verdict = Readonly<Record<string, readonly string[]>>;

/** Holds the whole history of a run against every promise. */
export const check = (history: History, snapshot: Snapshot, received: Received): Verdict => ({
  'every acknowledged write is there once': checkWrites(history, snapshot),
  'numbers without gap, chain valid': checkNumbers(history, snapshot),
  'amounts re-derived': checkAmounts(history, snapshot),
  'accounts equal the provider': checkAccounts(snapshot),
  'one event and one delivery for each fact': checkEvents(snapshot, received),
  'one e-mail for each document': checkMails(snapshot, received),
  'one e-invoice for each document': checkEInvoices(snapshot, received),
  'replays are the same bytes': checkReplays(history),
  'nothing is stuck': checkLeftovers(snapshot),
  'every request has an answer': checkAnswers(history),
  'linearizable for each key': checkOrder(history),
});

/** Registers (a customer's company name) and sets (the entries of an account), each key by itself. */
function checkOrder({ operations, reads }: History): string[] {
  const faults: string[] = [];
  const byKey = grouped(reads, ({ key }) => key);
  const [renames, payments] = (['rename', 'payment'] as const).map((kind) =>
    grouped(
      operations.filter((each) => each.kind === kind),
      ({ subject }) => subject,
    ),
  );
  for (const [customer, writes] of renames!)
    if (!isLinearizableRegister('', writes, byKey.get(`name of ${customer}`) ?? []))
      faults.push(`the name of ${customer} has no order of its writes and reads`);
  for (const [key, found] of byKey) {
    const invoice = /^entries of (.+)$/.exec(key)?.[1];
    if (invoice !== undefined) faults.push(...faultsOfSet(payments!.get(invoice) ?? [], found));
  }
  return faults;
}
