import { type mongo } from 'mongoose';
import { isDuplicateKey } from '@invoicing/mongo';
import { type IdempotencyRecord, type IdempotencyRecords } from './idempotency-record';

/** The records in MongoDB; every write majority-committed and journaled by the connection's default. */
export async function openIdempotencyRecords(db: mongo.Db): Promise<IdempotencyRecords> {
  const records = db.collection<IdempotencyRecord>('idempotency');
  await records.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });

  return {
    insert: async (record) => {
      try {
        await records.insertOne(record);
        return true;
      } catch (error) {
        if (isDuplicateKey(error, '_id')) return false;
        throw error;
      }
    },
    find: (_id) => records.findOne({ _id }),
    takeOver: async ({ _id, opId, attempt, leaseUntil: seenLease }, leaseUntil) => {
      const { modifiedCount } = await records.updateOne(
        // With the lease in it, a record that was freed and claimed anew in between is not mistaken for the one that was seen.
        { _id, opId, attempt, leaseUntil: seenLease, state: { $ne: 'done' } },
        { $set: { state: 'running', attempt: attempt + 1, leaseUntil } },
      );
      return modifiedCount === 1;
    },
    finish: async (_id, opId, { status, body, expiresAt }) => {
      const { modifiedCount } = await records.updateOne(
        { _id, opId, state: { $ne: 'done' } },
        { $set: { state: 'done', status, body, expiresAt } },
      );
      return modifiedCount === 1;
    },
    release: async (_id, opId, attempt) => {
      await records.updateOne({ _id, opId, attempt, state: 'running' }, { $set: { state: 'open' } });
    },
    remove: async (_id, opId, attempt) => {
      await records.deleteOne({ _id, opId, attempt, state: 'running' });
    },
  };
}
