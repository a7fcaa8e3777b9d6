import { AppError } from '@invoicing/errors';
import type { Actor } from '@invoicing/rules';
import { creditInvoice } from '../invoices/credit-invoice';
import type { Call } from '../invoices/invoice-ports';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { readAccount } from './account';
import type { AccountPorts } from '../billing-ports';
import { effectiveEntries } from './open-amount';
import { followingEntryId, TRANSFER, type Entry, type PaymentEntry, type RefundEntry } from './entry';
import { settleRefund } from './settle-refund';
import { tellOverdue } from './tell-overdue';
import { recordPayment } from './record-payment';
import { reverse } from './reverse-entry';

/** As long as the writer of a refund has to go on with it himself. */
export const FOLLOW_UP_LEASE_MS = 15_000;
// Each lost round means that another credit note of the same invoice was issued.
const MAX_ROUNDS = 5;
const BILLING: Actor = { kind: 'service', id: 'billing' };

/**
 * What follows a recorded refund: its credit note, then the provider, or the other invoice of a transfer. Every step has an id derived from
 * the entry, so the whole is simply done again until it has been done to the end.
 */
export async function followRefund(
  ports: AccountPorts,
  issued: IssuedInvoice,
  refund: RefundEntry,
  call: Call,
): Promise<void> {
  const { entries } = await readAccount(ports, issued);
  const stands = effectiveEntries(entries).some(({ _id }) => _id === refund._id);
  const isSettled = refund.done || entries.some((entry) => entry.type === 'settlement' && entry.of === refund._id);
  if (stands && refund.creditCents > 0) await creditRefund(ports, issued, refund, call);
  if (stands && refund.provider === TRANSFER) await payOther(ports, refund);
  if (stands && !isSettled) await askProvider(ports, issued, refund, entries, call);
  await tellOverdue(ports, issued);
  await ports.accounts.followedUp(refund.organizationId, refund._id);
}

/** Credits what the refund would leave open; less, when something else was credited meanwhile. */
async function creditRefund(
  ports: AccountPorts,
  issued: IssuedInvoice,
  refund: RefundEntry,
  call: Call,
): Promise<void> {
  const operationId = followingEntryId('credit', refund._id);
  for (let round = 1; ; round++) {
    const { now, credits } = await readAccount(ports, issued);
    if (credits.some(({ noteId }) => noteId === operationId)) return;
    const amountCents = Math.min(refund.creditCents, now.openCents, now.totalCents - now.creditedCents);
    if (amountCents <= 0) return;
    const input = { lines: [], amountCents, reason: refund.reason };
    try {
      await creditInvoice(ports, issued.organizationId, issued._id, input, { ...call, operationId });
      return;
    } catch (error) {
      const isLess = error instanceof AppError && error.kind === 'invalid';
      if (!isLess || round === MAX_ROUNDS) throw error;
    }
  }
}

async function payOther(ports: AccountPorts, refund: RefundEntry): Promise<void> {
  const payment = {
    amountCents: refund.amountCents,
    provider: TRANSFER,
    method: TRANSFER,
    paymentId: refund._id,
    paidAt: refund.at,
    otherInvoiceId: refund.invoiceId,
  };
  const operation = { id: refund.operationId, by: refund.by };
  await recordPayment(ports, refund.organizationId, refund.otherInvoiceId ?? '', payment, operation);
}

async function askProvider(
  ports: AccountPorts,
  issued: IssuedInvoice,
  refund: RefundEntry,
  entries: readonly Entry[],
  call: Call,
): Promise<void> {
  const payment = entries.find((entry): entry is PaymentEntry => entry._id === refund.of && entry.type === 'payment');
  const { organizationId, invoiceId, _id: entryId, provider, paymentId, amountCents } = refund;
  const checkoutId = payment?.checkoutId ?? null;
  const asked = { organizationId, invoiceId, checkoutId, entryId, provider, paymentId, amountCents };
  const outcome = await ports.cashier.refund(asked, call);
  const operation = { id: refund.operationId, by: BILLING };
  // Nobody will ever give it back this way: the money stays here, and the account says so.
  if ('refused' in outcome) await reverse(ports, issued, refund, outcome.refused, operation);
  else await settleRefund(ports, issued, refund, outcome.providerId, operation);
}
