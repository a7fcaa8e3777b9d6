import { randomUUID } from 'node:crypto';
import { outboxField, outboxIndex, type OutboxEntry } from '@invoicing/events';
import {
  NEWEST_FIRST,
  REAL_TIME,
  declareCollection,
  dueFilter,
  eachDocument,
  embedded,
  insertOnce,
  insertOrFind,
  joinedInserts,
  nativeCollection,
  newestPage,
  oneOf,
  openCollection,
  optionalList,
  pendingChangeIndex,
  recordedFields,
  required,
  type Ahead,
  type Connection,
  type Filter,
  type History,
  type Model,
  type OrganizationClocks,
  type QueryFilter,
  type Recorded,
} from '@invoicing/mongo';
import { subscriptionInvoiced } from '../billing-events';
import type { RecordedAs } from '../invoices/invoice-ports';
import { newestIndexes, ofProfile } from '../invoices/newest-store';
import type { LineInput } from '../invoices/price-lines';
import type { Anchor } from './recurrence';
import { NEVER, type Pause, type Subscription, type TermsChange } from './subscription';
import type { Finished, SubscriptionStore, WaitingInvoice, WaitingInvoices, Wanted } from './subscription-ports';

/** A subscription with who works on it, and until when, and what is still to be told of it. */
type SubscriptionDocument = Subscription &
  Recorded & { readonly lease: string; readonly leaseUntil: Date; readonly outbox?: OutboxEntry[] };

const FREE = { lease: '', leaseUntil: NEVER };
const OWN = { projection: { lease: 0, leaseUntil: 0, outbox: 0 } } as const;
const CLAIM_ATTEMPTS = 5;
// With the first, which is not weighed (1 MiB at most, the body that it came in), well below a message's limit of 8 MiB.
const PAGE_BYTES = 3 * 1024 * 1024;
// Of a line without its description: an id, a price, a quantity.
const LINE_BYTES = 100;
const BY_DATE = { nextRunDate: 1, _id: 1 } as const;
const BY_CLOCK = { dueAt: 1, _id: 1 } as const;

const givenLineSchema = embedded<LineInput>({
  description: String,
  quantity: String,
  unitPriceCents: Number,
  vatTreatment: String,
  productId: String,
  unit: String,
  discountBps: Number,
});

export const subscriptionCollection = declareCollection<SubscriptionDocument>('subscriptions', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    customerId: required(String),
    profileId: required(String),
    freq: oneOf('weekly', 'monthly', 'quarterly', 'yearly'),
    interval: required(Number),
    startDate: required(String),
    autoSendEmail: required(Boolean),
    autoSendPost: required(Boolean),
    lines: required([givenLineSchema]),
    pricesIncludeVat: Boolean,
    reference: String,
    note: String,
    anchor: embedded<Anchor>({ date: required(String), index: required(Number), day: required(Number) }),
    laterTerms: optionalList(
      embedded<TermsChange>({
        from: required(String),
        freq: { type: String, enum: ['weekly', 'monthly', 'quarterly', 'yearly'] },
        interval: Number,
        autoSendEmail: Boolean,
        autoSendPost: Boolean,
        lines: optionalList(givenLineSchema),
        pricesIncludeVat: Boolean,
        reference: String,
        note: String,
      }),
    ),
    status: oneOf('active', 'paused', 'ended'),
    nextIndex: required(Number),
    nextRunDate: required(String),
    lastRunDate: String,
    pauses: required([embedded<Pause>({ from: required(String), until: required(String) })]),
    pausedFrom: String,
    dueAt: required(Date),
    attempts: required(Number),
    lastError: required(String),
    seenAt: required(Date),
    createdAt: required(Date),
    testScenario: String,
    lease: required(String),
    leaseUntil: required(Date),
    outbox: outboxField,
    ...recordedFields,
  },
  indexes: [
    ...newestIndexes({}),
    [{ organizationId: 1, status: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, customerId: 1, ...NEWEST_FIRST }],
    pendingChangeIndex,
    outboxIndex,
    [{ status: 1, ...BY_CLOCK }],
    [{ status: 1, ...BY_DATE }],
  ],
});

export const openSubscriptions = (connection: Connection): Promise<Model<SubscriptionDocument>> =>
  openCollection(connection, subscriptionCollection);

/** Subscriptions and their runs. `onEvents`: something is to be told. */
export function mongoSubscriptions(
  model: Model<SubscriptionDocument>,
  history: History,
  onEvents: () => void,
  clocks: OrganizationClocks = REAL_TIME,
): SubscriptionStore {
  // Claimed and finished by the hundred: past the model.
  const native = nativeCollection(model);
  const insert = joinedInserts(native);
  const { projection } = OWN;
  const change = changes(model, history);
  return {
    // What nobody asked for is made without a history of its own.
    insert: (subscription, as) =>
      as.by.kind === 'service' && as.by.id === 'billing'
        ? insertOrFind<SubscriptionDocument>(model, newDocument(subscription), insert)
        : history.insert<SubscriptionDocument>(model, newDocument(subscription), as),
    find: (organizationId, id) => model.findOne({ organizationId, _id: id }, projection).lean<Subscription>().exec(),
    organizationOf: async (id) =>
      (await model.findOne({ _id: id }, { organizationId: 1 }).lean().exec())?.organizationId,
    page: (organizationId, { profileId, status, customerId, limit, cursor }) => {
      let bytes = 0;
      const equal = { organizationId, ...(status && { status }), ...(customerId !== undefined && { customerId }) };
      return newestPage<SubscriptionDocument, Subscription>(model, ofProfile(equal, profileId), {
        limit,
        cursor,
        without: ['lease', 'leaseUntil', 'outbox'],
        fits: ({ lines }) => (bytes += weightOf(lines)) <= PAGE_BYTES,
      });
    },
    change: (read, changes, as) => change(read, changes, as, {}),
    changeUnclaimed: (read, changes, as, now) =>
      change(read, { ...changes, ...FREE }, as, { leaseUntil: { $lte: now } }),
    assertSeen: (subscription, revision) => history.assertSeen(model, subscription as SubscriptionDocument, revision),
    claim: async (wanted, limit, leaseMs) => {
      const { filter, sort } = selectionOf(wanted, clocks.ahead());
      const leaseUntil = new Date(wanted.now.getTime() + leaseMs);
      // A lease that ends later than any could was given before the clock was set back.
      const unheld = { $or: [{ leaseUntil: { $lte: wanted.now } }, { leaseUntil: { $gt: leaseUntil } }] };
      const free: Filter<SubscriptionDocument> = { $and: [filter, unheld] };
      const lease = randomUUID();
      for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
        const shown = { projection: { organizationId: 1, nextRunDate: 1 }, sort, limit };
        const found = await native.find(free, shown).toArray();
        if (found.length === 0) return { lease, subscriptions: [], held: (await native.findOne(filter)) !== null };
        const first = found.filter(({ nextRunDate }) => nextRunDate === found[0]!.nextRunDate);
        const those = {
          organizationId: { $in: [...new Set(first.map((each) => each.organizationId))] },
          _id: { $in: first.map(({ _id }) => _id) },
        };
        await native.updateMany({ ...those, ...free }, { $set: { lease, leaseUntil } });
        const subscriptions = await native.find<Subscription>({ ...those, lease }, { projection }).toArray();
        if (subscriptions.length > 0) return { lease, subscriptions, held: false };
      }
      // Others were faster each time.
      return { lease, subscriptions: [], held: true };
    },
    finish: async (lease, finished) => {
      await native.bulkWrite(
        finished.map((each) => ({ updateOne: { filter: ours(each, lease), update: updateOf(each) } })),
        { ordered: false },
      );
      if (finished.some(({ invoiced }) => invoiced)) onEvents();
    },
  };
}

/** Changes a subscription that nobody changed since it was read, and records who did. */
const changes =
  (model: Model<SubscriptionDocument>, history: History) =>
  async (
    read: Subscription,
    $set: Partial<SubscriptionDocument>,
    as: RecordedAs,
    only: QueryFilter<SubscriptionDocument>,
  ): Promise<Subscription | null> => {
    const { status, nextIndex } = read;
    const changed = await history.tryChange<SubscriptionDocument>(model, read as SubscriptionDocument, {
      ...as,
      update: { $set },
      only: { ...only, status, nextIndex },
    });
    if (!changed) return null;
    const { lease: _lease, leaseUntil: _until, outbox: _outbox, ...subscription } = changed;
    return subscription;
  };

const ours = ({ subscription: { organizationId, _id, nextIndex } }: Finished, lease: string) => ({
  organizationId,
  _id,
  lease,
  nextIndex,
});

const updateOf = ({ subscription, changes, invoiced }: Finished) => ({
  $set: { ...changes, ...FREE },
  ...(invoiced && { $push: { outbox: subscriptionInvoiced({ ...subscription, ...changes }, subscription, invoiced) } }),
});

const weightOf = (lines: readonly LineInput[]): number =>
  lines.reduce((bytes, { description = '' }) => bytes + LINE_BYTES + Buffer.byteLength(description), 0);

/** A subscription as it is first stored: nobody works on it. */
export const newDocument = (subscription: Subscription): SubscriptionDocument => ({
  ...subscription,
  lines: subscription.lines.map(givenOnly),
  ...FREE,
});

/** The driver would store what is undefined as null. */
const givenOnly = (line: LineInput): LineInput =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined));

const selectionOf = (
  wanted: Wanted,
  ahead: Ahead,
): { filter: Filter<SubscriptionDocument>; sort: typeof BY_DATE | typeof BY_CLOCK } =>
  wanted.by === 'clock'
    ? { filter: { status: 'active', ...dueFilter(wanted.now, ahead) } as Filter<SubscriptionDocument>, sort: BY_CLOCK }
    : {
        filter: {
          status: 'active',
          nextRunDate: { $lte: wanted.until },
          seenAt: { $not: { $gte: wanted.since, $lte: wanted.now } },
        },
        sort: BY_DATE,
      };

export const waitingCollection = declareCollection<WaitingInvoice>('subscription_waiting_invoices', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    subscriptionId: required(String),
    date: required(String),
    email: required(Boolean),
    attempts: required(Number),
    dueAt: required(Date),
  },
  indexes: [[{ organizationId: 1, date: 1, _id: 1 }], [{ dueAt: 1, organizationId: 1 }]],
});

/** Invoices of subscriptions that are issued only when their organisation is out of arrears. */
export async function mongoWaitingInvoices(
  connection: Connection,
  clocks: OrganizationClocks = REAL_TIME,
): Promise<WaitingInvoices> {
  const model = await openCollection(connection, waitingCollection);
  return {
    add: async (waiting) => void (await insertOnce(model, waiting)),
    organizations: (now) => model.distinct('organizationId', dueFilter<WaitingInvoice>(now, clocks.ahead())).exec(),
    of: (organizationId, now) =>
      eachDocument<WaitingInvoice>(
        model
          .find({ organizationId, dueAt: { $lte: now } })
          .sort({ date: 1, _id: 1 })
          .lean(),
      ),
    postpone: async ({ organizationId, _id }, attempts, dueAt) =>
      void (await model.updateOne({ organizationId, _id }, { $set: { attempts, dueAt } })),
    remove: async ({ organizationId, _id }) => void (await model.deleteOne({ organizationId, _id })),
  };
}
