import { outboxField, outboxIndex, type OutboxEntry } from '@invoicing/events';
import {
  REAL_TIME,
  actorSchema,
  claimDue,
  declareCollection,
  insertOnce,
  nativeCollection,
  oneOf,
  openCollection,
  required,
  type Connection,
  type Model,
  type OrganizationClocks,
} from '@invoicing/mongo';
import { eventsOfEntry } from '../billing-events';
import type { Accounts } from './account-ports';
import { ofInvoices } from './of-invoices';
import type { Entry } from './entry';
import type { MoneyEntry } from './money-by-month';
import type { EntryFact } from './open-amount';

/** An entry as stored. Its events and when it is to be followed up are transport state: only they ever change. */
export type EntryDocument = Entry & { readonly outbox?: OutboxEntry[]; readonly dueAt?: Date };

const STORED = { projection: { outbox: 0, dueAt: 0 } } as const;
const MONEY = { type: 1, amountCents: 1, date: 1, of: 1, provider: 1 } as const;
const FACTS = { invoiceId: 1, type: 1, amountCents: 1, of: 1, provider: 1, paymentId: 1 } as const;

// Of all the indexes of a collection a planner would look at each, for every page and list.
const OF_INVOICE = { organizationId: 1, invoiceId: 1, ordinal: 1 } as const;

const entryCollection = declareCollection<EntryDocument>('account_entries', {
  shardKey: { organizationId: 1 },
  fields: {
    organizationId: required(String),
    invoiceId: required(String),
    ordinal: required(Number),
    creditsSeen: required(Number),
    type: oneOf('payment', 'refund', 'settlement', 'chargeback', 'write_off', 'reversal', 'overdue'),
    amountCents: required(Number),
    date: required(String),
    at: required(Date),
    by: required(actorSchema),
    operationId: required(String),
    provider: String,
    method: String,
    paymentId: String,
    providerId: String,
    reference: String,
    note: String,
    reason: String,
    of: String,
    paidAt: Date,
    checkoutId: String,
    otherInvoiceId: String,
    surplusCents: Number,
    settles: Boolean,
    creditCents: Number,
    done: Boolean,
    outbox: outboxField,
    dueAt: Date,
  },
  indexes: [
    [OF_INVOICE, { unique: true }],
    // For the history.
    [{ organizationId: 1, at: -1, _id: -1 }],
    // The money of some days: for the overview, and for the books in the order of their file.
    [{ organizationId: 1, date: 1, _id: 1 }],
    [{ dueAt: 1 }, { sparse: true }],
    outboxIndex,
  ],
});

export const openEntries = (connection: Connection): Promise<Model<EntryDocument>> =>
  openCollection(connection, entryCollection);

export function mongoAccounts(
  model: Model<EntryDocument>,
  onEvents: () => void,
  clocks: OrganizationClocks = REAL_TIME,
): Accounts {
  // Read for every page, list and step of a payment: past the model.
  const entries = nativeCollection(model);
  const entriesOf = ofInvoices(async (organizationId, invoiceIds) => {
    const those = { organizationId, invoiceId: { $in: [...invoiceIds] } };
    const found = (await entries.find(those, STORED).hint(OF_INVOICE).toArray()) as Entry[];
    return found.sort((a, b) => a.ordinal - b.ordinal);
  });
  return {
    entriesOf: async ({ organizationId, _id }) => [...((await entriesOf(organizationId, [_id])).get(_id) ?? [])],
    factsAmong: ofInvoices((organizationId, invoiceIds) =>
      entries
        .find({ organizationId, invoiceId: { $in: [...invoiceIds] } })
        .project<EntryFact & { invoiceId: string }>(FACTS)
        .hint(OF_INVOICE)
        .toArray(),
    ),
    moneySince: (organizationId, from, limit) =>
      entries
        .find({ organizationId, date: { $gte: from } })
        .sort({ date: -1 })
        .limit(limit)
        .project<MoneyEntry>(MONEY)
        .toArray(),
    find: (organizationId, entryId) =>
      entries.findOne({ organizationId, _id: entryId }, STORED) as Promise<Entry | null>,
    organizationOf: async (entryId) => {
      const found = await model.findOne({ _id: entryId }, { organizationId: 1 }).lean().exec();
      return found?.organizationId;
    },
    insert: async (invoice, entry, after, dueAt) => {
      const outbox = eventsOfEntry(invoice, entry, after);
      const document = { ...entry, ...(outbox.length > 0 && { outbox }), ...(dueAt && { dueAt }) };
      const isFirst = await insertOnce(model, document);
      if (isFirst && outbox.length > 0) onEvents();
      return isFirst;
    },
    claimDue: async (now, leaseUntil) =>
      (await claimDue(model, { now, leaseUntil, ahead: clocks.ahead() })) as Entry | null,
    followedUp: async (organizationId, entryId) => {
      await model.updateOne({ organizationId, _id: entryId }, { $unset: { dueAt: '' } });
    },
    postpone: async (organizationId, entryId, dueAt) => {
      await model.updateOne({ organizationId, _id: entryId, dueAt: { $exists: true } }, { $set: { dueAt } });
    },
  };
}
