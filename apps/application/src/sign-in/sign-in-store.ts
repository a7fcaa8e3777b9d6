import { declareCollection, openCollection, required, type Connection } from '@invoicing/mongo';
import { MAX_ATTEMPTS } from './sign-in-code';

/** Somebody who asked to sign in, and has the code to come. */
export interface SignIn {
  /** SHA-256 of the token in the cookie of the browser that asked, in hex: no other browser can use the code. */
  readonly _id: string;
  /** Absent: nobody has the address that was asked for. Without a user and without `newEmail` no code fits. */
  readonly userId?: string | undefined;
  /** The address of somebody who signs up: who has the code has it, and becomes a user. */
  readonly newEmail?: string | undefined;
  /** SHA-256 of token and code, in hex. */
  readonly codeHash: string;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const signIns = declareCollection<SignIn>('sign_ins', {
  shardKey: 'one shard',
  fields: {
    userId: String,
    newEmail: String,
    codeHash: required(String),
    attempts: required(Number),
    createdAt: required(Date),
    expiresAt: required(Date),
  },
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});

export type SignInStore = Awaited<ReturnType<typeof openSignInStore>>;

/** Sign-ins that wait for their code. */
export async function openSignInStore(connection: Connection) {
  const model = await openCollection(connection, signIns);
  return {
    insert: async (signIn: SignIn): Promise<void> => {
      await model.insertOne(signIn);
    },

    /** Counts an attempt, before anything is compared. Null: there is nothing to attempt any more. */
    attempt: (_id: string, now: Date): Promise<SignIn | null> =>
      model
        .findOneAndUpdate(
          { _id, attempts: { $lt: MAX_ATTEMPTS }, expiresAt: { $gt: now } },
          { $inc: { attempts: 1 } },
          { returnDocument: 'after' },
        )
        .lean<SignIn>()
        .exec(),

    /** Uses it up; false when another request was first. */
    take: async (_id: string): Promise<boolean> => (await model.deleteOne({ _id })).deletedCount === 1,
  };
}
