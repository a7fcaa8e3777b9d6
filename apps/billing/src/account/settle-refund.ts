import type { IssuedInvoice } from '../invoices/issued-invoice';
import type { AccountPorts } from '../billing-ports';
import { appendEntry, type Operation } from './append-entry';
import { followingEntryId, providerEntryId, type Entry, type RefundEntry } from './entry';
import { moneyDate } from './entry-input';

/**
 * The provider took a refund over, once. One that was reversed because it was refused, and made all the same for somebody who asked again
 * beside that, is an entry of its own: what the provider has is what happened. It was credited when it was asked for.
 */
export async function settleRefund(
  ports: Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now'>,
  issued: IssuedInvoice,
  refund: RefundEntry,
  providerId: string,
  operation: Operation,
): Promise<void> {
  const organization = await ports.organizations.find(issued.organizationId);
  const date = moneyDate(undefined, ports.now(issued.organizationId), organization, []);
  const { amountCents, provider, method, paymentId, reference, reason } = refund;
  await appendEntry(ports, issued, ({ entries }) => {
    const { id: operationId, by } = operation;
    const money = { amountCents, provider, method, paymentId, reference, reason, note: '', providerId, date };
    if (isRefused(entries, refund, providerId)) {
      const _id = providerEntryId('refund', provider, providerId);
      if (entries.some((entry) => entry._id === _id)) return undefined;
      return { entry: { type: 'refund', _id, of: refund.of, ...money, creditCents: 0, done: true, by, operationId } };
    }
    const isOver = entries.some(
      (entry) => (entry.type === 'settlement' || entry.type === 'reversal') && entry.of === refund._id,
    );
    if (refund.done || isOver) return undefined;
    const _id = followingEntryId('settlement', refund._id);
    return { entry: { type: 'settlement', _id, of: refund._id, ...money, by, operationId } };
  });
}

/** It was reversed, and not because this came here again. */
export const isRefused = (entries: readonly Entry[], { _id }: RefundEntry, providerId: string): boolean =>
  entries.some(
    (entry) => entry.type === 'reversal' && entry.of === _id && providerId !== '' && entry.providerId !== providerId,
  );
