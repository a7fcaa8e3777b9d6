import { declareCollection, insertOrFind, openCollection, required, type Connection } from '@invoicing/mongo';
import { type SecretSealer } from '@invoicing/secrets';
import { type AccountStore, type ProviderAccount } from '../sessions/session-ports';

interface AccountDocument extends Omit<ProviderAccount, 'id' | 'apiKey'> {
  readonly _id: string;
  readonly sealedKey: string | null;
}

const accountCollection = declareCollection<AccountDocument>('provider_accounts', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    provider: required(String),
    sealedKey: String,
    baseUrl: String,
    connectedAt: required(Date),
    mode: { type: String, enum: ['live', 'test'] },
  },
  indexes: [[{ organizationId: 1, connectedAt: -1, _id: -1 }]],
});

/** Accounts are only ever added: the newest is the connected one, older ones serve the payments that run on them. */
export async function openAccountStore(connection: Connection, vault: SecretSealer): Promise<AccountStore> {
  const accounts = await openCollection(connection, accountCollection);
  const accountOf = ({ _id, sealedKey, ...account }: AccountDocument): ProviderAccount => ({
    id: _id,
    ...account,
    apiKey: sealedKey === null ? null : vault.open(sealedKey, _id),
  });
  return {
    find: async (organizationId, id) => {
      const found = await accounts.findOne({ organizationId, _id: id }).lean<AccountDocument>().exec();
      return found && accountOf(found);
    },
    insert: async ({ id, apiKey, ...account }) => {
      const sealedKey = apiKey === null ? null : vault.seal(apiKey, id);
      const stored = await insertOrFind<AccountDocument>(accounts, { _id: id, ...account, sealedKey });
      return accountOf(stored);
    },
    current: async (organizationId) => {
      const newest = await accounts
        .findOne({ organizationId })
        .sort({ connectedAt: -1, _id: -1 })
        .lean<AccountDocument>()
        .exec();
      return newest && accountOf(newest);
    },
  };
}
