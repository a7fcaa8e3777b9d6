import { type Connection } from 'mongoose';
import { isDuplicateKey } from '@invoicing/mongo';
import { type SecretSealer } from '@invoicing/secrets';
import { type AccountStore, type ProviderAccount } from '../sessions/session-ports';

interface AccountDocument extends Omit<ProviderAccount, 'id' | 'apiKey'> {
  readonly _id: string;
  readonly sealedKey: string | null;
}

/** Accounts are only ever added: the newest is the connected one, older ones serve the payments that run on them. */
export async function openAccountStore(connection: Connection, vault: SecretSealer): Promise<AccountStore> {
  const collection = connection.db!.collection<AccountDocument>('provider_accounts');
  await collection.createIndex({ organizationId: 1, connectedAt: -1, _id: -1 });

  const accountOf = ({ _id, sealedKey, ...account }: AccountDocument): ProviderAccount => ({
    id: _id,
    ...account,
    apiKey: sealedKey === null ? null : vault.open(sealedKey, _id),
  });
  const find = async (id: string): Promise<ProviderAccount | null> => {
    const found = await collection.findOne({ _id: id });
    return found && accountOf(found);
  };

  return {
    find,
    insert: async ({ id, apiKey, ...account }) => {
      const sealedKey = apiKey === null ? null : vault.seal(apiKey, id);
      try {
        await collection.insertOne({ _id: id, ...account, sealedKey });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return (await find(id)) as ProviderAccount;
    },
    current: async (organizationId) => {
      const [newest] = await collection.find({ organizationId }).sort({ connectedAt: -1, _id: -1 }).limit(1).toArray();
      return newest ? accountOf(newest) : null;
    },
  };
}
