import type { IssuedInvoice } from '../invoices/issued-invoice';
import type { AccountPorts } from '../billing-ports';
import { appendEntry, type Operation } from './append-entry';
import { followingEntryId, type RefundEntry } from './entry';
import { moneyDate } from './entry-input';

/** The provider took a refund over, once. */
export async function settleRefund(
  ports: Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now'>,
  issued: IssuedInvoice,
  refund: RefundEntry,
  providerId: string,
  operation: Operation,
): Promise<void> {
  const organization = await ports.organizations.find(issued.organizationId);
  const date = moneyDate(undefined, ports.now(), organization?.details.timezone, []);
  const { amountCents, provider, method, paymentId, reference, reason } = refund;
  await appendEntry(ports, issued, ({ entries }) => {
    const isOver = entries.some(
      (entry) => (entry.type === 'settlement' || entry.type === 'reversal') && entry.of === refund._id,
    );
    if (refund.done || isOver) return undefined;
    const money = { amountCents, provider, method, paymentId, reference, reason, note: '' };
    const _id = followingEntryId('settlement', refund._id);
    const { id: operationId, by } = operation;
    return { entry: { type: 'settlement', _id, of: refund._id, ...money, providerId, date, by, operationId } };
  });
}
