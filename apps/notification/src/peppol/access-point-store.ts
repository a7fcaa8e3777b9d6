import {
  declareCollection,
  NEWEST_ACCOUNT,
  oneOf,
  openAccounts,
  required,
  type Accounts,
  type Connection,
  type SealedAccount,
} from '@invoicing/mongo';
import type { SecretSealer } from '@invoicing/secrets';
import type { AccessPointAccount } from './access-point';

const accountCollection = declareCollection<SealedAccount<AccessPointAccount>>('access_points', {
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
  indexes: [NEWEST_ACCOUNT],
});

export type AccessPointStore = Accounts<AccessPointAccount>;

/** The access points that organisations connected. */
export const openAccessPointStore = (connection: Connection, keys: SecretSealer): Promise<AccessPointStore> =>
  openAccounts(connection, accountCollection, keys);
