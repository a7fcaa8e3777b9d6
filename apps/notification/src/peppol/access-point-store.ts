import { declareCollection, insertOrFind, oneOf, openCollection, required, type Connection } from '@invoicing/mongo';
import type { SecretSealer } from '@invoicing/secrets';
import type { AccessPointAccount } from './access-point';

interface AccountDocument extends Omit<AccessPointAccount, 'id' | 'apiKey'> {
  readonly _id: string;
  readonly sealedKey: string | null;
}

const accountCollection = declareCollection<AccountDocument>('access_points', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    accessPoint: required(String),
    sealedKey: String,
    senderId: String,
    baseUrl: String,
    mode: oneOf('live', 'test'),
    connectedAt: required(Date),
  },
  indexes: [[{ organizationId: 1, connectedAt: -1, _id: -1 }]],
});

export type AccessPointStore = Awaited<ReturnType<typeof openAccessPointStore>>;

/** Accounts are only ever added: the newest is the connected one, older ones serve the deliveries that run on them. */
export async function openAccessPointStore(connection: Connection, keys: SecretSealer) {
  const accounts = await openCollection(connection, accountCollection);
  const accountOf = ({ _id, sealedKey, ...account }: AccountDocument): AccessPointAccount => ({
    id: _id,
    ...account,
    apiKey: sealedKey === null ? null : keys.open(sealedKey, _id),
  });
  return {
    find: async (organizationId: string, id: string): Promise<AccessPointAccount | null> => {
      const found = await accounts.findOne({ organizationId, _id: id }).lean<AccountDocument>().exec();
      return found && accountOf(found);
    },

    insert: async ({ id, apiKey, ...account }: AccessPointAccount): Promise<AccessPointAccount> => {
      const sealedKey = apiKey === null ? null : keys.seal(apiKey, id);
      return accountOf(await insertOrFind<AccountDocument>(accounts, { _id: id, ...account, sealedKey }));
    },

    current: async (organizationId: string): Promise<AccessPointAccount | null> => {
      const newest = await accounts
        .findOne({ organizationId })
        .sort({ connectedAt: -1, _id: -1 })
        .lean<AccountDocument>()
        .exec();
      return newest && accountOf(newest);
    },
  };
}
