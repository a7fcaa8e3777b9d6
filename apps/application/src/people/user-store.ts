import { randomUUID } from 'node:crypto';
import { declareCollection, insertOnce, openCollection, required, type Connection } from '@invoicing/mongo';
import { AppError } from '@invoicing/errors';

/** Somebody who can sign in. What they may do is where they are a member. */
export interface User {
  /** UUID. */
  readonly _id: string;
  /** Lower case. */
  readonly email: string;
  readonly createdAt: Date;
}

const users = declareCollection<User>('users', {
  shardKey: 'one shard',
  fields: { email: required(String), createdAt: required(Date) },
  indexes: [[{ email: 1 }, { unique: true }]],
});

/** An address as users are found by it. */
const emailKey = (email: string): string => email.trim().toLowerCase();

export type UserStore = Awaited<ReturnType<typeof openUserStore>>;

/** The people, whatever organisations they are in. */
export async function openUserStore(connection: Connection) {
  const model = await openCollection(connection, users);
  const byEmail = (email: string): Promise<User | null> => model.findOne({ email }).lean<User>().exec();
  return {
    find: (userId: string): Promise<User | null> => model.findOne({ _id: userId }).lean<User>().exec(),
    byEmail: (email: string) => byEmail(emailKey(email)),

    /** The user with this address; made when there is none. */
    ensure: async (address: string, now: Date): Promise<User> => {
      const user: User = { _id: randomUUID(), email: emailKey(address), createdAt: now };
      const known = await byEmail(user.email);
      if (known) return known;
      if (await insertOnce(model, user, 'email')) return user;
      const other = await byEmail(user.email);
      if (!other) throw new AppError('busy', 'busy', 'the user is being made');
      return other;
    },
  };
}
