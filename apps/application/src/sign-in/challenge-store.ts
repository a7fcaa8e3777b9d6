import { declareCollection, openCollection, required, type Connection } from '@invoicing/mongo';

/** Something that a browser was asked to prove, until it answers: by a passkey, or through a company's own sign-in. */
export interface Challenge {
  /** SHA-256 of the token in the cookie of the browser that asked, in hex: no other browser can answer. */
  readonly _id: string;
  readonly purpose: 'passkey_sign_in' | 'passkey_new' | 'openid';
  /** What the answer is checked against. */
  readonly value: string;
  /** Who is signed in already; absent: nobody. */
  readonly userId?: string | undefined;
  readonly expiresAt: Date;
}

const challenges = declareCollection<Challenge>('challenges', {
  shardKey: 'one shard',
  fields: { purpose: required(String), value: required(String), userId: String, expiresAt: required(Date) },
  indexes: [[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
});

export type ChallengeStore = Awaited<ReturnType<typeof openChallengeStore>>;

/** Challenges that wait for their answer. */
export async function openChallengeStore(connection: Connection) {
  const model = await openCollection(connection, challenges);
  return {
    insert: async (challenge: Challenge): Promise<void> => {
      await model.insertOne(challenge);
    },
    /** Uses it up, before anything is compared; null: there is none for this any more. */
    take: (_id: string, purpose: Challenge['purpose'], now: Date): Promise<Challenge | null> =>
      model
        .findOneAndDelete({ _id, purpose, expiresAt: { $gt: now } })
        .lean<Challenge>()
        .exec(),
  };
}
