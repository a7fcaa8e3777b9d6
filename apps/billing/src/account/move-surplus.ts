import { validationError, type Violation } from '@invoicing/errors';
import type { Call } from '../invoices/invoice-ports';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { accountInvoice, readAccount, type Account } from './account';
import type { AccountPorts } from '../billing-ports';
import { appendEntry, operationInUse, type Operation } from './append-entry';
import { TRANSFER, type Entry } from './entry';
import { amountFault, moneyDate } from './entry-input';
import { FOLLOW_UP_LEASE_MS, followRefund } from './follow-refund';

/**
 * Moves surplus to another invoice of the same customer: it leaves this account first, then pays the other one; a worker goes on where this
 * call does not get to. Throws `not_found` or `validation` (more than the surplus, or than the other invoice is open; another customer).
 */
export async function moveSurplus(
  ports: AccountPorts,
  organizationId: string,
  invoiceId: string,
  input: { readonly toInvoiceId: string; readonly amountCents?: number | undefined },
  { id, by }: Operation,
  call: Call,
): Promise<{ issued: IssuedInvoice; entry: Entry; account: Account }> {
  const issued = await accountInvoice(ports, organizationId, invoiceId);
  const other = await accountInvoice(ports, organizationId, input.toInvoiceId);
  const organization = await ports.organizations.find(organizationId);
  const violations: Violation[] = [];
  const fault = input.amountCents === undefined ? undefined : amountFault(input.amountCents);
  if (fault) violations.push({ path: '/amountCents', message: fault });
  if (other._id === issued._id || other.customerId !== issued.customerId)
    violations.push({ path: '/toInvoiceId', message: 'must be another invoice of the same customer' });
  const date = moneyDate(undefined, ports.now(organizationId), organization, violations);
  if (violations.length > 0) throw validationError(violations);
  let earlier: Entry | undefined;
  const appended = await appendEntry(ports, issued, async ({ entries, now }) => {
    earlier = entries.find(({ _id }) => _id === id);
    if (earlier && (earlier.type !== 'refund' || earlier.otherInvoiceId !== other._id)) throw operationInUse();
    if (earlier) return undefined;
    const { openCents } = (await readAccount(ports, other)).now;
    const most = Math.min(now.surplusCents, openCents);
    const amountCents = input.amountCents ?? most;
    if (amountCents > most || amountCents === 0)
      throw validationError([{ path: '/amountCents', message: `at most ${most} can be moved` }]);
    const money = { provider: TRANSFER, method: TRANSFER, paymentId: id, reference: other.number, note: '' };
    const refund = { type: 'refund', of: null, reason: '', creditCents: 0, done: true, providerId: '' } as const;
    return {
      entry: { ...refund, ...money, _id: id, amountCents, date, by, operationId: id, otherInvoiceId: other._id },
      dueAt: new Date(ports.now(organizationId).getTime() + FOLLOW_UP_LEASE_MS),
    };
  });
  const entry = (appended ?? earlier)!;
  if (appended?.type === 'refund') await followRefund(ports, issued, appended, call);
  return { issued, entry, account: await readAccount(ports, issued) };
}
