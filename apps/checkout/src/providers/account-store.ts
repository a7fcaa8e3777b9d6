import {
  declareCollection,
  NEWEST_ACCOUNT,
  openAccounts,
  required,
  type Connection,
  type SealedAccount,
} from '@invoicing/mongo';
import { type SecretSealer } from '@invoicing/secrets';
import { type AccountStore, type ProviderAccount } from '../sessions/session-ports';

const accountCollection = declareCollection<SealedAccount<ProviderAccount>>('provider_accounts', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    provider: required(String),
    sealedKey: String,
    baseUrl: String,
    connectedAt: required(Date),
    mode: { type: String, enum: ['live', 'test'] },
  },
  indexes: [NEWEST_ACCOUNT],
});

/** The accounts at payment providers that organisations connected. */
export const openAccountStore = (connection: Connection, vault: SecretSealer): Promise<AccountStore> =>
  openAccounts(connection, accountCollection, vault);
