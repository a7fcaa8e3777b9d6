import { randomUUID } from 'node:crypto';
import type { Db, Filter } from 'mongodb';
import type { LineInput } from '../invoices/price-lines';
import { NEVER, type Subscription } from './subscription';
import type { SubscriptionStore, WaitingInvoice, WaitingInvoices, Wanted } from './subscription-ports';
import { insertOnce } from '../organizations/organization-store';

/** A subscription with who works on it, and until when. */
type SubscriptionDocument = Subscription & { readonly lease: string; readonly leaseUntil: Date };

const FREE = { lease: '', leaseUntil: NEVER };
const WITHOUT_LEASE = { lease: 0, leaseUntil: 0 } as const;
const CLAIM_ATTEMPTS = 5;
const BY_DATE = { nextRunDate: 1, _id: 1 } as const;
const BY_CLOCK = { dueAt: 1, _id: 1 } as const;

export const subscriptionCollection = (db: Db) => db.collection<SubscriptionDocument>('subscriptions');

export async function mongoSubscriptions(db: Db): Promise<SubscriptionStore> {
  const collection = subscriptionCollection(db);
  await collection.createIndex({ organizationId: 1, createdAt: -1, _id: -1 });
  await collection.createIndex({ organizationId: 1, profileId: 1, createdAt: -1, _id: -1 });
  await collection.createIndex({ status: 1, ...BY_CLOCK });
  await collection.createIndex({ status: 1, ...BY_DATE });
  const projection = WITHOUT_LEASE;
  return {
    insert: (subscription) => insertOnce(() => collection.insertOne(newDocument(subscription))),
    find: (organizationId, id) => collection.findOne<Subscription>({ _id: id, organizationId }, { projection }),
    findAny: (id) => collection.findOne<Subscription>({ _id: id }, { projection }),
    newest: (organizationId, profileId, limit) =>
      collection
        .find({ organizationId, ...(profileId !== undefined && { profileId }) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .project<Subscription>(projection)
        .toArray(),
    change: ({ _id, status, nextIndex }, changes) =>
      collection.findOneAndUpdate(
        { _id, status, nextIndex },
        { $set: changes },
        { returnDocument: 'after', projection },
      ),
    claim: async (wanted, limit, leaseMs) => {
      const { filter, sort } = selectionOf(wanted);
      const leaseUntil = new Date(wanted.now.getTime() + leaseMs);
      // A lease that ends later than any could was given before the clock was set back.
      const free = { ...filter, $or: [{ leaseUntil: { $lte: wanted.now } }, { leaseUntil: { $gt: leaseUntil } }] };
      const lease = randomUUID();
      for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
        const found = await collection.find(free, { projection: { nextRunDate: 1 }, sort, limit }).toArray();
        if (found.length === 0) return { lease, subscriptions: [], held: (await collection.findOne(filter)) !== null };
        const first = found.filter(({ nextRunDate }) => nextRunDate === found[0]!.nextRunDate);
        const ids = { $in: first.map(({ _id }) => _id) };
        await collection.updateMany({ _id: ids, ...free }, { $set: { lease, leaseUntil } });
        const subscriptions = await collection.find<Subscription>({ _id: ids, lease }, { projection }).toArray();
        if (subscriptions.length > 0) return { lease, subscriptions, held: false };
      }
      // Others were faster each time.
      return { lease, subscriptions: [], held: true };
    },
    finish: async (lease, finished) => {
      await collection.bulkWrite(
        finished.map(({ subscription: { _id, nextIndex }, changes }) => ({
          updateOne: { filter: { _id, lease, nextIndex }, update: { $set: { ...changes, ...FREE } } },
        })),
        { ordered: false },
      );
    },
  };
}

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
): { filter: Filter<SubscriptionDocument>; sort: typeof BY_DATE | typeof BY_CLOCK } =>
  wanted.by === 'clock'
    ? { filter: { status: 'active', dueAt: { $lte: wanted.now } }, sort: BY_CLOCK }
    : {
        filter: {
          status: 'active',
          nextRunDate: { $lte: wanted.until },
          seenAt: { $not: { $gte: wanted.since, $lte: wanted.now } },
        },
        sort: BY_DATE,
      };

export async function mongoWaitingInvoices(db: Db): Promise<WaitingInvoices> {
  const collection = db.collection<WaitingInvoice>('subscription_waiting_invoices');
  await collection.createIndex({ organizationId: 1, date: 1, _id: 1 });
  return {
    add: async (waiting) => void (await insertOnce(() => collection.insertOne(waiting))),
    organizations: (now) => collection.distinct('organizationId', { dueAt: { $lte: now } }),
    of: (organizationId, now) => collection.find({ organizationId, dueAt: { $lte: now } }).sort({ date: 1, _id: 1 }),
    postpone: async (id, attempts, dueAt) =>
      void (await collection.updateOne({ _id: id }, { $set: { attempts, dueAt } })),
    remove: async (id) => void (await collection.deleteOne({ _id: id })),
  };
}
