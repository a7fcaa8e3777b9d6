import { AppError, notFoundError, validationError } from '@invoicing/errors';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { accountInvoice, readAccount, type Account } from './account';
import type { AccountPorts } from '../billing-ports';
import { appendEntry, type Operation } from './append-entry';
import { BY_HAND, followingEntryId, type Entry, type ReversalEntry } from './entry';
import { moneyDate, textFaults } from './entry-input';

type Reads = Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now'>;

/**
 * Takes back an entry that was made by hand; its money counts as if it had never moved. Reversing it again answers the reversal.
 * Throws `not_found`, `validation` (no reason) or `blocked`: what a provider reported is reversed by the provider only, and a credit note is a document.
 */
export async function reverseEntry(
  ports: Reads,
  organizationId: string,
  entryId: string,
  reason: string,
  operation: Operation,
): Promise<{ issued: IssuedInvoice; entry: ReversalEntry; account: Account }> {
  const violations = textFaults({ reason });
  if (reason.trim() === '') violations.push({ path: '/reason', message: 'is required' });
  if (violations.length > 0) throw validationError(violations);
  const entry = await findEntry(ports, organizationId, entryId);
  const issued = await accountInvoice(ports, organizationId, entry.invoiceId);
  assertReversible(entry);
  return {
    issued,
    entry: await reverse(ports, issued, entry, reason, operation),
    account: await readAccount(ports, issued),
  };
}

async function findEntry(ports: Reads, organizationId: string, entryId: string): Promise<Entry> {
  const found = await ports.accounts.find(organizationId, entryId);
  if (found) return found;
  const note = await ports.invoices.find(organizationId, entryId);
  throw note?.kind === 'credit_note'
    ? irreversible('a credit note stands: issue the invoice again')
    : notFoundError('the entry');
}

/** The one reversal of an entry: made now, or there already. */
export async function reverse(
  ports: Reads,
  issued: IssuedInvoice,
  entry: Pick<Entry, '_id' | 'amountCents'>,
  reason: string,
  operation: Operation,
  providerId?: string,
): Promise<ReversalEntry> {
  const organization = await ports.organizations.find(issued.organizationId);
  const date = moneyDate(undefined, ports.now(issued.organizationId), organization, []);
  let earlier: Entry | undefined;
  const appended = await appendEntry(ports, issued, ({ entries }) => {
    earlier = entries.find((each) => each.type === 'reversal' && each.of === entry._id);
    if (earlier) return undefined;
    const _id = followingEntryId('reversal', entry._id);
    const { amountCents } = entry;
    return {
      entry: {
        type: 'reversal',
        _id,
        of: entry._id,
        amountCents,
        date,
        reason,
        by: operation.by,
        operationId: operation.id,
        ...(providerId && { providerId }),
      },
    };
  });
  return (appended ?? earlier) as ReversalEntry;
}

function assertReversible(entry: Entry): void {
  if (entry.type === 'write_off') return;
  if (entry.type === 'reversal') throw irreversible('a reversal stands: record the entry again');
  const isByHand = (entry.type === 'payment' || entry.type === 'refund') && BY_HAND.includes(entry.provider);
  if (!isByHand) throw irreversible('it was not made by hand: what really happened stands; refund it, or move it back');
}

const irreversible = (message: string): AppError => new AppError('blocked', 'irreversible', message);
