import {
  declareCollection,
  joinedInserts,
  nativeCollection,
  oneOf,
  openCollection,
  required,
  type Collection,
  type Connection,
} from '@invoicing/mongo';
import { batched } from '@invoicing/concurrency';
import { type Heartbeats } from './heartbeat-store';
import { type IdempotencyRecord, type IdempotencyRecords } from './idempotency-record';
import { packBody, unpackBody, type StoredBody } from './stored-body';

// Of one command.
const ANSWERS_BYTES = 1_000_000;
const RECORD_BYTES = 500;

/** Records from before bodies were packed have no `packed`. */
export type StoredRecord = IdempotencyRecord & Pick<StoredBody, 'packed'>;

export const idempotencyCollection = declareCollection<StoredRecord>('idempotency', {
  shardKey: { _id: 'hashed' },
  fields: {
    fingerprint: required(String),
    state: oneOf('running', 'open', 'done'),
    attempt: required(Number),
    leaseUntil: required(Date),
    owner: String,
    aliveUntil: Date,
    opId: required(String),
    status: Number,
    body: String,
    packed: Buffer,
    expiresAt: required(Date),
  },
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});

/** The records in MongoDB; every write majority-committed and journaled by the connection's default. */
export async function openIdempotencyRecords(
  connection: Connection,
  owner: string,
  heartbeats: Heartbeats,
): Promise<IdempotencyRecords> {
  // Twice a write request: past the model.
  const records = nativeCollection(await openCollection(connection, idempotencyCollection));
  const insert = joinedInserts(records);
  const storeAnswer = joinedAnswers(records);

  /** Whatever came of it: this process does not work on it any more. */
  const ending = async <T>(_id: string, write: Promise<T>): Promise<T> => write.finally(() => heartbeats.release(_id));

  /** Ours from before it is written: of a claim that nobody knows to be written, nobody works on what it is for. */
  const claiming = async (_id: string, leaseUntil: Date, write: () => Promise<boolean>): Promise<boolean> => {
    heartbeats.hold(_id, leaseUntil);
    let isOurs = false;
    try {
      isOurs = await write();
    } finally {
      if (!isOurs) heartbeats.release(_id);
    }
    return isOurs;
  };

  return {
    owner,
    isGone: async ({ _id, owner: other, aliveUntil }) => {
      const now = Date.now();
      if (other === owner) return !heartbeats.holds(_id);
      if (!other || !aliveUntil || aliveUntil.getTime() > now) return false;
      const seen = await heartbeats.aliveUntil(other);
      return seen === null || seen.getTime() < now;
    },
    insert: (record) => claiming(record._id, record.leaseUntil, () => insert(record)),
    find: async (_id) => {
      const found = await records.findOne({ _id });
      return found && readRecord(found);
    },
    takeOver: ({ _id, opId, attempt, leaseUntil: seenLease }, taken) =>
      claiming(_id, taken.leaseUntil, async () => {
        const { modifiedCount } = await records.updateOne(
          // With the lease in it, a record that was freed and claimed anew in between is not mistaken for the one that was seen.
          { _id, opId, attempt, leaseUntil: seenLease, state: { $ne: 'done' } },
          { $set: { ...taken, state: 'running', attempt: attempt + 1 } },
        );
        return modifiedCount === 1;
      }),
    finish: (_id, opId, { body, ...answer }) => {
      const write = async () => {
        if (await storeAnswer({ _id, opId, ...answer, ...(await packBody(body)) })) return true;
        const stored = await records.findOne({ _id, opId, state: 'done' });
        // Of another attempt or ours: the same bytes are the same answer.
        return stored !== null && stored.status === answer.status && (await readRecord(stored)).body === body;
      };
      return ending(_id, write());
    },
    release: async (_id, opId, attempt) => {
      const ours = { _id, opId, attempt, state: 'running' as const };
      await ending(_id, records.updateOne(ours, { $set: { state: 'open' } }));
    },
    remove: async (_id, opId, attempt) => {
      await ending(_id, records.deleteOne({ _id, opId, attempt, state: 'running' }));
    },
  };
}

interface StoredAnswer extends Pick<StoredRecord, '_id' | 'opId' | 'status' | 'body' | 'expiresAt'> {
  readonly packed: Buffer | null;
}

/** Stores answers, many in one command when many come at once; false where not all of those that went together were stored. */
const joinedAnswers = (records: Collection<StoredRecord>): ((answer: StoredAnswer) => Promise<boolean>) =>
  batched({ limit: ANSWERS_BYTES, weightOf: bytesOf }, async (answers) => {
    const operations = answers.map(({ _id, opId, ...answer }) => ({
      updateOne: {
        filter: { _id, opId, state: { $ne: 'done' as const } },
        update: { $set: { state: 'done' as const, ...answer } },
      },
    }));
    const { filter, update } = operations[0]!.updateOne;
    const { modifiedCount } =
      answers.length === 1
        ? await records.updateOne(filter, update)
        : await records.bulkWrite(operations, { ordered: false });
    return answers.map(() => modifiedCount === answers.length);
  });

const bytesOf = ({ body, packed }: StoredAnswer): number => RECORD_BYTES + (body ?? packed ?? '').length;

/** The record with the text of its answer. */
export const readRecord = async ({ packed, ...record }: StoredRecord): Promise<IdempotencyRecord> => ({
  ...record,
  body: await unpackBody({ body: record.body, packed }),
});
