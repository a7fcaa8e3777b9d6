import { validationError, type Violation } from '@invoicing/errors';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { accountInvoice, readAccount, type Account } from './account';
import type { AccountPorts } from '../billing-ports';
import { appendEntry, operationInUse, type Operation } from './append-entry';
import type { Entry, WriteOffEntry } from './entry';
import { amountFault, moneyDate, textFaults } from './entry-input';

export interface WriteOffInput {
  /** Absent: all that is open. */
  readonly amountCents?: number | undefined;
  readonly reason: WriteOffEntry['reason'];
  readonly note: string;
}

/** Gives up what is open, whole or in part. Throws `not_found` or `validation` (more than is open). */
export async function writeOff(
  ports: Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now'>,
  organizationId: string,
  invoiceId: string,
  input: WriteOffInput,
  { id, by }: Operation,
): Promise<{ issued: IssuedInvoice; entry: Entry; account: Account }> {
  const issued = await accountInvoice(ports, organizationId, invoiceId);
  const organization = await ports.organizations.find(organizationId);
  const violations: Violation[] = textFaults(input);
  const fault = input.amountCents === undefined ? undefined : amountFault(input.amountCents);
  if (fault) violations.push({ path: '/amountCents', message: fault });
  const date = moneyDate(undefined, ports.now(organizationId), organization, violations);
  if (violations.length > 0) throw validationError(violations);
  let earlier: Entry | undefined;
  const appended = await appendEntry(ports, issued, ({ entries, now }) => {
    earlier = entries.find(({ _id }) => _id === id);
    if (earlier && (earlier.type !== 'write_off' || (input.amountCents ?? earlier.amountCents) !== earlier.amountCents))
      throw operationInUse();
    if (earlier) return undefined;
    const amountCents = input.amountCents ?? now.openCents;
    if (amountCents > now.openCents || amountCents === 0)
      throw validationError([{ path: '/amountCents', message: `must be at most what is open: ${now.openCents}` }]);
    const { reason, note } = input;
    return { entry: { type: 'write_off', _id: id, amountCents, date, reason, note, by, operationId: id } };
  });
  return { issued, entry: (appended ?? earlier)!, account: await readAccount(ports, issued) };
}
