import type { OutboxEntry } from '@invoicing/events';
import type { Db } from '@invoicing/mongo';
import { businessDate } from '../invoices/business-date';
import { DEFAULT_TIMEZONE } from '../organizations/organization';
import { providerEntryId, type PaymentEntry } from './entry';

const BATCH = 500;

/** What the version before kept: the one payment of an invoice, under the invoice's id. */
interface OldPayment {
  readonly _id: string;
  readonly organizationId: string;
  readonly payment: {
    readonly provider: string;
    readonly method: string;
    readonly id: string;
    readonly paidAt: Date;
    readonly amountCents: number;
    readonly checkoutId: string | null;
  };
  readonly outbox?: readonly OutboxEntry[];
}

/**
 * Every payment that the version before recorded becomes the first entry of its account, with the events that nobody has settled yet. The
 * old documents stay as they are. A process of that version that still runs cannot add one any more: it is refused and tries
 * again, until it meets this version.
 */
export async function enterPayments(db: Db): Promise<void> {
  const [found] = await db.listCollections({ name: 'payments' }).toArray();
  if (!found) return;
  const closed = { $jsonSchema: { bsonType: 'object', required: ['entered'] } };
  await db.command({ collMod: 'payments', validator: closed, validationLevel: 'moderate', validationAction: 'error' });
  const payments = db.collection<OldPayment>('payments');
  const entries = db.collection<PaymentEntry & { readonly outbox?: readonly OutboxEntry[] }>('account_entries');
  for (let last = ''; ;) {
    const batch = await payments
      .find({ _id: { $gt: last } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    if (batch.length === 0) return;
    await entries.bulkWrite(
      batch.map((old) => {
        const { _id, ...entry } = entryOf(old);
        const outbox = old.outbox && old.outbox.length > 0 ? { outbox: old.outbox } : {};
        return { updateOne: { filter: { _id }, update: { $setOnInsert: { ...entry, ...outbox } }, upsert: true } };
      }),
      { ordered: false },
    );
    last = batch.at(-1)!._id;
  }
}

/** It stands before all entries, and has sent `invoice.paid`. */
function entryOf({ _id: invoiceId, organizationId, payment }: OldPayment): PaymentEntry {
  const { provider, method, id, paidAt, amountCents, checkoutId } = payment;
  const _id = providerEntryId('payment', provider, id);
  return {
    type: 'payment',
    _id,
    organizationId,
    invoiceId,
    ordinal: 1,
    creditsSeen: 0,
    amountCents,
    date: businessDate(paidAt, DEFAULT_TIMEZONE),
    at: paidAt,
    by: { kind: 'service', id: 'checkout' },
    operationId: _id,
    provider,
    method,
    paymentId: id,
    paidAt,
    checkoutId,
    reference: '',
    note: '',
    surplusCents: 0,
    settles: true,
  };
}
