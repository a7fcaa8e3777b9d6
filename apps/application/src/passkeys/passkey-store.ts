import { declareCollection, insertOnce, openCollection, required, type Connection } from '@invoicing/mongo';

/** A key that a device holds for somebody; we have its public half (W3C Web Authentication, level 3). */
export interface Passkey {
  /** The credential's id, base64url. */
  readonly _id: string;
  /** UUID: names it in lists. */
  readonly id: string;
  readonly userId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often its authenticator says that it was used; 0 where it does not count. */
  readonly counter: number;
  /** How it is reached: usb, internal, hybrid. */
  readonly transports: readonly string[];
  /** Which browser made it. */
  readonly device: string;
  readonly createdAt: Date;
  readonly lastUsedAt?: Date | undefined;
}

/** Passkeys of one person. */
export const MAX_PASSKEYS = 20;

const passkeys = declareCollection<Passkey>('passkeys', {
  shardKey: 'one shard',
  fields: {
    id: required(String),
    userId: required(String),
    publicKey: required(String),
    counter: required(Number),
    transports: required([String]),
    device: required(String),
    createdAt: required(Date),
    lastUsedAt: Date,
  },
  indexes: [[{ userId: 1, createdAt: 1 }]],
});

export type PasskeyStore = Awaited<ReturnType<typeof openPasskeyStore>>;

/** Who can sign in by which key. */
export async function openPasskeyStore(connection: Connection) {
  const model = await openCollection(connection, passkeys);
  return {
    /** False when somebody has it already. */
    insert: (passkey: Passkey): Promise<boolean> => insertOnce(model, passkey, '_id'),
    find: (_id: string): Promise<Passkey | null> => model.findOne({ _id }).lean<Passkey>().exec(),
    ofUser: (userId: string): Promise<Passkey[]> =>
      model.find({ userId }).sort({ createdAt: 1 }).limit(MAX_PASSKEYS).lean<Passkey[]>().exec(),
    /** False when it was used meanwhile, or is gone: two answers with one count are a copy. */
    used: async ({ _id, counter }: Passkey, now: { readonly counter: number; readonly at: Date }): Promise<boolean> => {
      const { modifiedCount } = await model.updateOne(
        { _id, counter },
        { $set: { counter: now.counter, lastUsedAt: now.at } },
      );
      return modifiedCount === 1;
    },
    remove: async (userId: string, id: string): Promise<void> => {
      await model.deleteOne({ userId, id });
    },
  };
}
