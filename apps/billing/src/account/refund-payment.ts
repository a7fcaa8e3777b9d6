import { validationError, type Violation } from '@invoicing/errors';
import type { Call } from '../invoices/invoice-ports';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { accountInvoice, readAccount, type Account } from './account';
import type { AccountPorts } from '../billing-ports';
import { appendEntry, operationInUse, type Operation } from './append-entry';
import { BY_HAND, partEntryId, type RefundEntry, type Unplaced } from './entry';
import { amountFault, moneyDate, textFaults } from './entry-input';
import { FOLLOW_UP_LEASE_MS, followRefund } from './follow-refund';
import { nextPart, type RefundAsk, type RefundPart } from './refund-parts';

export interface RefundInput extends RefundAsk {
  readonly reason: string;
  /** The invoice is to be paid again: nothing is credited. */
  readonly keepOpen: boolean;
  readonly date?: string | undefined;
  readonly reference: string;
}

export interface Refunded {
  readonly issued: IssuedInvoice;
  readonly entries: readonly RefundEntry[];
  readonly account: Account;
}

/**
 * Gives money back. Each part is recorded first, so that nobody gives it back again; then it is credited (unless the invoice is to be paid
 * again), then the provider is asked. What this call does not get to, a worker does. The same operation again goes on with its parts.
 */
export async function refundPayment(
  ports: AccountPorts,
  organizationId: string,
  invoiceId: string,
  input: RefundInput,
  operation: Operation,
  call: Call,
): Promise<Refunded> {
  const issued = await accountInvoice(ports, organizationId, invoiceId);
  const date = await checkRefund(ports, issued, input);
  for (;;) {
    const appended = await appendEntry(ports, issued, (account) => {
      const recorded = partsOf(account, operation);
      const part = nextPart(account, recorded, input);
      if (!part) return undefined;
      const id = partEntryId(operation.id, recorded.length);
      if (account.entries.some(({ _id }) => _id === id)) throw operationInUse();
      const entry = refundEntry(part, account, input, date, { id, operation });
      const needsMore = !entry.done || entry.creditCents > 0;
      return {
        entry,
        ...(needsMore && { dueAt: new Date(ports.now(issued.organizationId).getTime() + FOLLOW_UP_LEASE_MS) }),
      };
    });
    if (!appended) break;
    try {
      await followRefund(ports, issued, appended as RefundEntry, call);
    } catch (error) {
      // It is recorded; the worker goes on with it.
      ports.onError(error);
    }
  }
  const account = await readAccount(ports, issued);
  return { issued, entries: partsOf(account, operation), account };
}

const partsOf = ({ entries }: Account, { id }: Operation): RefundEntry[] =>
  entries.filter((entry): entry is RefundEntry => entry.type === 'refund' && entry.operationId === id);

async function checkRefund(
  { organizations, now }: AccountPorts,
  issued: IssuedInvoice,
  input: RefundInput,
): Promise<string> {
  const organization = await organizations.find(issued.organizationId);
  const violations: Violation[] = textFaults(input);
  const fault = input.amountCents === undefined ? undefined : amountFault(input.amountCents);
  if (fault) violations.push({ path: '/amountCents', message: fault });
  const isByHand = BY_HAND.includes(input.through);
  if (input.through !== '' && !isByHand)
    violations.push({ path: '/through', message: `must be empty or one of ${BY_HAND.join(', ')}` });
  if (input.date !== undefined && !isByHand)
    violations.push({ path: '/date', message: 'is only for what went back by bank or in cash' });
  const date = moneyDate(input.date, now(issued.organizationId), organization, violations);
  if (violations.length > 0) throw validationError(violations);
  return date;
}

function refundEntry(
  { payment, amountCents }: RefundPart,
  { now }: Account,
  input: RefundInput,
  date: string,
  { id, operation }: { id: string; operation: Operation },
): Unplaced<RefundEntry> {
  const isCredited = !input.keepOpen && !input.surplusOnly;
  return {
    type: 'refund',
    _id: id,
    amountCents,
    date,
    by: operation.by,
    operationId: operation.id,
    provider: payment?.provider ?? input.through,
    method: payment?.method ?? (input.through === 'bank' ? 'banktransfer' : input.through),
    paymentId: payment?.paymentId ?? '',
    of: payment?._id ?? null,
    reason: input.reason,
    reference: input.reference,
    note: '',
    // Surplus is money that no invoice stands for any more: what goes back of it needs no credit.
    creditCents: isCredited ? Math.max(0, amountCents - now.surplusCents) : 0,
    done: payment === null,
    providerId: '',
  };
}
