import { declareCollection, isDuplicateKey, openCollection, required, type Connection } from '@invoicing/mongo';

/** How often something was done within a window of time. */
interface Count {
  /** What is counted, as a hash, and which window. */
  readonly _id: string;
  readonly count: number;
  readonly expiresAt: Date;
}

const counts = declareCollection<Count>('sign_in_counts', {
  shardKey: 'one shard',
  fields: { count: required(Number), expiresAt: required(Date) },
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});

export type LimitStore = Awaited<ReturnType<typeof openLimitStore>>;

/** Limits that all replicas share. */
export async function openLimitStore(connection: Connection) {
  const model = await openCollection(connection, counts);
  const add = async (_id: string, expiresAt: Date): Promise<number> => {
    const found = await model
      .findOneAndUpdate(
        { _id },
        { $inc: { count: 1 }, $setOnInsert: { expiresAt } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<Count>()
      .exec();
    return found?.count ?? 1;
  };
  return {
    /** Counts one more of `key` in the present window; false: there were `limit` already. */
    take: async (key: string, limit: number, windowMs: number, now: Date): Promise<boolean> => {
      const window = Math.floor(now.getTime() / windowMs);
      const id = `${key}:${window}`;
      const expiresAt = new Date((window + 1) * windowMs);
      try {
        return (await add(id, expiresAt)) <= limit;
      } catch (error) {
        // Two were the first at the same moment.
        if (!isDuplicateKey(error)) throw error;
        return (await add(id, expiresAt)) <= limit;
      }
    },
  };
}
