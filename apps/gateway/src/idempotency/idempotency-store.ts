import {
  declareCollection,
  insertOnce,
  nativeCollection,
  oneOf,
  openCollection,
  required,
  type Connection,
} from '@invoicing/mongo';
import { type IdempotencyRecord, type IdempotencyRecords } from './idempotency-record';

export const idempotencyCollection = declareCollection<IdempotencyRecord>('idempotency', {
  shardKey: { _id: 'hashed' },
  fields: {
    fingerprint: required(String),
    state: oneOf('running', 'open', 'done'),
    attempt: required(Number),
    leaseUntil: required(Date),
    opId: required(String),
    status: Number,
    body: String,
    expiresAt: required(Date),
  },
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});

/** The records in MongoDB; every write majority-committed and journaled by the connection's default. */
export async function openIdempotencyRecords(connection: Connection): Promise<IdempotencyRecords> {
  // Twice a write request: past the model.
  const records = nativeCollection(await openCollection(connection, idempotencyCollection));

  return {
    insert: (record) => insertOnce(records, record, '_id'),
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
