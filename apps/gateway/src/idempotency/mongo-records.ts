import { type mongo } from 'mongoose';
import { isDuplicateKey } from '@invoicing/mongo';
import { type IdempotencyRecord, type IdempotencyRecords } from './records';

const SWEEP_EVERY_MS = 10 * 60_000;
const SWEEP_BATCH = 1_000;

/** The records in MongoDB; every write majority-committed and journaled by the connection's default. */
export async function openIdempotencyRecords(
  db: mongo.Db,
  onError: (error: unknown) => void,
): Promise<IdempotencyRecords & { close(): void }> {
  const records = db.collection<IdempotencyRecord>('idempotency');
  await records.createIndex({ expiresAt: 1 });

  const sweep = async (): Promise<void> => {
    try {
      const expired = await records
        .find({ expiresAt: { $lt: new Date() } }, { projection: { _id: 1 } })
        .limit(SWEEP_BATCH)
        .toArray();
      if (expired.length > 0)
        await records.deleteMany({ _id: { $in: expired.map(({ _id }) => _id) }, expiresAt: { $lt: new Date() } });
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => void sweep(), SWEEP_EVERY_MS).unref();

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
    takeOver: async (_id, attempt, leaseUntil) => {
      const { modifiedCount } = await records.updateOne(
        { _id, attempt, state: { $ne: 'done' } },
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
    close: () => clearInterval(timer),
  };
}
