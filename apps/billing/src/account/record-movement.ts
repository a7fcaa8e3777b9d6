import { notFoundError, validationError } from '@invoicing/errors';
import type { Call } from '../invoices/invoice-ports';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { accountInvoice, readAccount, type Account } from './account';
import type { AccountPorts } from '../billing-ports';
import { appendEntry, type Decision, type Operation } from './append-entry';
import { providerEntryId, type Entry, type PaymentEntry, type RefundEntry } from './entry';
import { amountFault, moneyDate } from './entry-input';
import { FOLLOW_UP_LEASE_MS, followRefund } from './follow-refund';
import { reverse } from './reverse-entry';
import { isRefused, settleRefund } from './settle-refund';

/** A refund or chargeback as its provider tells it now. */
export interface Movement {
  readonly kind: 'refund' | 'chargeback';
  readonly provider: string;
  readonly paymentId: string;
  /** The provider's id; empty when it refused to make a refund. */
  readonly providerId: string;
  readonly amountCents: number;
  readonly movedAt: Date;
  /** The refund that asked for it; undefined when it was made at the provider. */
  readonly entryId?: string | undefined;
  /** It failed or was taken back: the money is here again. */
  readonly undone: boolean;
  readonly reason: string;
}

/**
 * Takes in what a provider tells of a payment, once: a refund that we asked for is settled or reversed by it, one that was made there is an
 * entry of its own, and credits as every refund does; a chargeback credits nothing, because the debt stands.
 * Throws `not_found` when the payment is not on the account.
 */
export async function recordMovement(
  ports: AccountPorts,
  organizationId: string,
  invoiceId: string,
  movement: Movement,
  operation: Operation,
  call: Call,
): Promise<{ issued: IssuedInvoice; account: Account }> {
  const fault = amountFault(movement.amountCents);
  if (fault) throw validationError([{ path: '/amountCents', message: fault }]);
  const issued = await accountInvoice(ports, organizationId, invoiceId);
  const organization = await ports.organizations.find(organizationId);
  const date = moneyDate(movement.movedAt, ports.now(organizationId), organization, []);
  const { entries } = await readAccount(ports, issued);
  const told = entries.find(isToldAs(movement));
  const asked = entries.find(
    (entry): entry is RefundEntry => entry.type === 'refund' && entry._id === movement.entryId,
  );
  if (movement.undone) {
    const known = told ?? (asked && !isRefused(entries, asked, movement.providerId) ? asked : undefined);
    await undo(ports, issued, known, movement, date, operation);
  }
  // What came here again stays: a report that was read before that arrives late.
  else if (asked) await settleRefund(ports, issued, asked, movement.providerId, operation);
  else {
    const appended = await appendEntry(ports, issued, (account) => entryOf(ports, account, movement, date, operation));
    if (appended?.type === 'refund' && appended.creditCents > 0) await followRefund(ports, issued, appended, call);
  }
  return { issued, account: await readAccount(ports, issued) };
}

async function undo(
  ports: AccountPorts,
  issued: IssuedInvoice,
  known: Entry | undefined,
  movement: Movement,
  date: string,
  operation: Operation,
): Promise<void> {
  const { providerId, reason } = movement;
  if (!known && providerId === '') return;
  // Undone before anybody heard of it: recorded all the same, so that an older report that is yet to come finds it undone.
  if (!known) await appendEntry(ports, issued, (account) => entryOf(ports, account, movement, date, operation));
  const entry = known ?? (await readAccount(ports, issued)).entries.find(isToldAs(movement));
  if (entry) await reverse(ports, issued, entry, reason, operation, providerId);
}

const isToldAs =
  ({ kind, provider, providerId }: Movement) =>
  ({ _id }: Entry): boolean =>
    providerId !== '' && _id === providerEntryId(kind, provider, providerId);

function entryOf(
  { now }: AccountPorts,
  account: Account,
  movement: Movement,
  date: string,
  operation: Operation,
): Decision {
  const { kind, provider, paymentId, providerId, amountCents } = movement;
  if (account.entries.some(isToldAs(movement))) return undefined;
  const payment = account.entries.find(
    (entry): entry is PaymentEntry =>
      entry.type === 'payment' && entry.provider === provider && entry.paymentId === paymentId,
  );
  if (!payment) throw notFoundError('the payment');
  const common = {
    _id: providerEntryId(kind, provider, providerId),
    of: payment._id,
    amountCents,
    date,
    by: operation.by,
    operationId: operation.id,
    provider,
    method: payment.method,
    paymentId,
    providerId,
    reference: '',
    note: '',
  };
  if (kind === 'chargeback') return { entry: { type: 'chargeback', ...common } };
  const creditCents = movement.undone ? 0 : Math.max(0, amountCents - account.now.surplusCents);
  return {
    entry: { type: 'refund', ...common, reason: movement.reason, creditCents, done: true },
    ...(creditCents > 0 && { dueAt: new Date(now(payment.organizationId).getTime() + FOLLOW_UP_LEASE_MS) }),
  };
}
