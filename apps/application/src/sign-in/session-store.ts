import { declareCollection, openCollection, required, type Connection } from '@invoicing/mongo';
import type { Session } from './session';

const sessions = declareCollection<Session>('sessions', {
  shardKey: 'one shard',
  fields: {
    id: required(String),
    userId: required(String),
    device: required(String),
    createdAt: required(Date),
    lastSeenAt: required(Date),
    expiresAt: required(Date),
  },
  indexes: [[{ userId: 1, lastSeenAt: -1 }], [{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});

const MOST_LISTED = 100;

export type SessionStore = Awaited<ReturnType<typeof openSessionStore>>;

/** Who is signed in where. */
export async function openSessionStore(connection: Connection) {
  const model = await openCollection(connection, sessions);
  return {
    insert: async (session: Session): Promise<void> => {
      await model.insertOne(session);
    },
    find: (_id: string): Promise<Session | null> => model.findOne({ _id }).lean<Session>().exec(),
    seen: async (_id: string, lastSeenAt: Date): Promise<void> => {
      await model.updateOne({ _id }, { $set: { lastSeenAt } });
    },
    /** Last used first. */
    ofUser: (userId: string): Promise<Session[]> =>
      model.find({ userId }).sort({ lastSeenAt: -1 }).limit(MOST_LISTED).lean<Session[]>().exec(),
    end: async (userId: string, id: string): Promise<void> => {
      await model.deleteOne({ userId, id });
    },
    endAll: async (userId: string): Promise<void> => {
      await model.deleteMany({ userId });
    },
  };
}
