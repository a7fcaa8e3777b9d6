import { declareCollection, insertOnce, openCollection, required, type Connection } from '@invoicing/mongo';

/** Who somebody is at a company's own sign-in. */
export interface OpenidIdentity {
  /** SHA-256 of issuer and subject, in hex. */
  readonly _id: string;
  readonly userId: string;
  readonly issuer: string;
  readonly createdAt: Date;
}

const identities = declareCollection<OpenidIdentity>('openid_identities', {
  shardKey: 'one shard',
  fields: { userId: required(String), issuer: required(String), createdAt: required(Date) },
  indexes: [[{ userId: 1, issuer: 1 }, { unique: true }]],
});

export type OpenidStore = Awaited<ReturnType<typeof openOpenidStore>>;

/** Users as companies' own sign-ins know them: one of them for each user and issuer, for ever. */
export async function openOpenidStore(connection: Connection) {
  const model = await openCollection(connection, identities);
  return {
    find: (_id: string): Promise<OpenidIdentity | null> => model.findOne({ _id }).lean<OpenidIdentity>().exec(),
    /** False: the user is somebody else there already. */
    insert: async (identity: OpenidIdentity): Promise<boolean> => {
      const { userId, issuer } = identity;
      if (await model.exists({ userId, issuer })) return false;
      return (await insertOnce(model, identity, '_id')) || (await model.exists({ _id: identity._id, userId })) !== null;
    },
  };
}
