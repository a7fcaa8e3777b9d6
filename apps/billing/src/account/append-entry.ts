import { AppError } from '@invoicing/errors';
import type { Actor } from '@invoicing/rules';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import type { AccountPorts } from '../billing-ports';
import { factsOf, readAccount, type Account } from './account';
import { openAmount, type OpenAmount } from './open-amount';
import type { Entry, Unplaced } from './entry';

/** Who asks, and under which id: the same id again records nothing more. */
export interface Operation {
  readonly id: string;
  /** Who does it, as it is kept. */
  readonly by: Actor;
}

/** What to record; or undefined when what was asked for is there already, or needs nothing. */
export type Decision = { readonly entry: Unplaced; readonly dueAt?: Date } | undefined;

// Each attempt that fails means that a rival got on; even 64 rivals at once are through long before this.
const MAX_ATTEMPTS = 200;
/** Keeps an account readable in one go, and its sums exact. */
const MAX_ENTRIES = 1_000;

/**
 * Reads the account, decides by it, takes the next place. Whatever else was recorded meanwhile took that place, so the insert fails and
 * the decision is made again: none is ever based on an old account, on a single node, a replica set and a sharded cluster alike.
 */
export async function appendEntry(
  ports: Pick<AccountPorts, 'accounts' | 'invoices' | 'now'>,
  invoice: IssuedInvoice,
  decide: (account: Account) => Decision | Promise<Decision>,
): Promise<Entry | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const account = await readAccount(ports, invoice);
    const decision = await decide(account);
    if (!decision) return undefined;
    if (account.entries.length >= MAX_ENTRIES)
      throw new AppError('blocked', 'account_full', `the account has ${MAX_ENTRIES} entries: it takes no more`);
    const entry = {
      ...decision.entry,
      organizationId: invoice.organizationId,
      invoiceId: invoice._id,
      ordinal: (account.entries.at(-1)?.ordinal ?? 0) + 1,
      creditsSeen: account.credits.length,
      at: ports.now(invoice.organizationId),
    } as Entry;
    const after = afterwards(invoice, account, entry);
    // What is open again may be overdue: that is looked at, whoever dies now.
    const dueAt = decision.dueAt ?? (after.openCents > account.now.openCents ? entry.at : undefined);
    if (await ports.accounts.insert(invoice, entry, after, dueAt)) return entry;
  }
  throw new AppError('unavailable', 'unavailable', 'the account is too busy');
}

/** The account's sums once this is on it. */
export const afterwards = (
  invoice: IssuedInvoice,
  { credits, entries }: Account,
  entry: Pick<Entry, '_id' | 'type' | 'amountCents'>,
): OpenAmount => openAmount(factsOf(invoice, credits, [...entries, entry]));

export const operationInUse = (): AppError =>
  new AppError('conflict', 'idempotency_conflict', 'the id of the operation was used for something else');
