import { type Connection } from 'mongoose';
import { type Collection, type Filter } from 'mongodb';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { outboxEntry, outboxIndex, type OutboxEntry } from '@invoicing/events';
import { isDuplicateKey } from '@invoicing/mongo';
import { type Session } from './session';
import { type CheckoutPaidEvent } from './session-events';
import { nextDueAt } from './settle-session';
import { type DueWork, type SessionStore } from './session-ports';

/** A session as stored: one document carries the session, when it is due and the event of its payment. */
export interface SessionDocument extends Omit<Session, 'id'> {
  readonly _id: string;
  readonly dueAt: Date | null;
  readonly outbox?: OutboxEntry[];
}

export interface MongoSessions extends SessionStore {
  readonly collection: Collection<SessionDocument>;
  /** Checkout sessions, newest first. */
  list: (organizationId: string, profileId: string | undefined, limit: number) => Promise<Session[]>;
}

export async function openSessionStore(connection: Connection): Promise<MongoSessions> {
  const collection = connection.db!.collection<SessionDocument>('sessions', { ignoreUndefined: true });
  await collection.createIndex({ token: 1 }, { unique: true });
  await collection.createIndex({ organizationId: 1, kind: 1, createdAt: -1, _id: -1 });
  await collection.createIndex({ organizationId: 1, kind: 1, profileId: 1, createdAt: -1, _id: -1 });
  await collection.createIndex({ dueAt: 1 });
  await collection.createIndex({ 'fulfilment.status': 1, dueAt: 1 });
  await collection.createIndex(...outboxIndex);

  const findOne = async (filter: Filter<SessionDocument>): Promise<Session | null> => {
    const found = await collection.findOne(filter, { projection: { outbox: 0 } });
    return found && sessionOf(found);
  };

  return {
    collection,
    find: (id) => findOne({ _id: id }),
    findByToken: (token) => findOne({ token }),
    insert: async (session) => {
      const { id, ...fields } = session;
      try {
        await collection.insertOne({ _id: id, ...fields, dueAt: nextDueAt(session) });
        return session;
      } catch (error) {
        if (!isDuplicateKey(error, '_id')) throw error;
        const existing = await findOne({ _id: id });
        if (!existing) throw error;
        return existing;
      }
    },
    replace: async (after, event) => {
      const { status, attempts, paidAttemptId, paidAt, fulfilment, invoice, revision } = after;
      const { matchedCount } = await collection.updateOne(
        { _id: after.id, revision },
        {
          $set: { status, attempts, paidAttemptId, paidAt, fulfilment, invoice, dueAt: nextDueAt(after) },
          $inc: { revision: 1 },
          // The relay takes what is settled out of the array: nothing else may write it.
          ...(event && { $push: { outbox: outboxEntry(message(event)) } }),
        },
      );
      return matchedCount === 1;
    },
    claimDue: async (work, now, leaseUntil) => {
      const claimed = await collection.findOneAndUpdate(
        { ...DUE[work], dueAt: { $lte: now } },
        { $set: { dueAt: leaseUntil } },
        { sort: { dueAt: 1 }, returnDocument: 'after', projection: { outbox: 0 } },
      );
      return claimed && sessionOf(claimed);
    },
    list: async (organizationId, profileId, limit) => {
      const found = await collection
        .find({ organizationId, kind: 'checkout', ...(profileId !== undefined && { profileId }) })
        .project<SessionDocument>({ outbox: 0 })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return found.map(sessionOf);
    },
  };
}

const DUE: Record<DueWork, Filter<SessionDocument>> = {
  settling: { 'fulfilment.status': 'due' },
  watching: { 'fulfilment.status': { $ne: 'due' } },
};

const sessionOf = ({ _id, dueAt: _dueAt, outbox: _outbox, ...session }: SessionDocument): Session => ({
  id: _id,
  ...session,
});

const message = ({ id, at, organizationId, checkoutId, amountCents, currency }: CheckoutPaidEvent): Event =>
  Event.fromPartial({
    id,
    type: 'checkout.paid',
    occurredAt: at,
    organizationId,
    source: 'checkout',
    checkoutPaid: { checkoutId, amountCents, currency },
  });
