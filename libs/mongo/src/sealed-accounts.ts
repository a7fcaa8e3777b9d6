import { CoalescedRuns } from '@invoicing/concurrency';
import { type Connection } from 'mongoose';
import { type CollectionDeclaration, type IndexDeclaration } from './declare-collection';
import { type Filter, type FindOptions } from './driver-types';
import { nativeCollection, openCollection } from './open-collection';
import { insertOrFind } from './write-once';

/** An organisation's account at an outside service. */
export interface OutsideAccount {
  readonly id: string;
  readonly organizationId: string;
  /** Null for a service that needs none. */
  readonly apiKey: string | null;
  readonly connectedAt: Date;
}

/** How it is stored: the key sealed for the account's id. */
export type SealedAccount<Account extends OutsideAccount> = Omit<Account, 'id' | 'apiKey'> & {
  readonly _id: string;
  readonly organizationId: string;
  readonly sealedKey: string | null;
};

/** Accounts are only ever added: the newest is the connected one, older ones serve what still runs on them. */
export interface Accounts<Account extends OutsideAccount> {
  /** The same id again answers the one that is there. */
  readonly insert: (account: Account) => Promise<Account>;
  readonly find: (organizationId: string, id: string) => Promise<Account | null>;
  /** The account that was connected last. */
  readonly current: (organizationId: string) => Promise<Account | null>;
}

interface Sealer {
  readonly seal: (secret: string, owner: string) => string;
  readonly open: (stored: string, owner: string) => string;
}

/** What connected the last account is found by this index. */
export const NEWEST_ACCOUNT: IndexDeclaration = [{ organizationId: 1, connectedAt: -1, _id: -1 }];

/** Accounts with sealed keys, in the collection that is declared beside them. */
export async function openAccounts<Account extends OutsideAccount>(
  connection: Connection,
  collection: CollectionDeclaration<SealedAccount<Account>>,
  keys: Sealer,
): Promise<Accounts<Account>> {
  type Stored = SealedAccount<Account>;
  const accounts = await openCollection(connection, collection);
  const accountOf = ({ _id, sealedKey, ...account }: Stored): Account =>
    ({ id: _id, ...account, apiKey: sealedKey === null ? null : keys.open(sealedKey, _id) }) as unknown as Account;
  // Read for every page that asks for money: past the model.
  const native = nativeCollection(accounts);
  const newest = new CoalescedRuns<Account | null>();
  const one = async (which: object, options: FindOptions = {}): Promise<Account | null> => {
    const found = await native.findOne(which as Filter<Stored>, options);
    return found && accountOf(found as Stored);
  };
  return {
    find: (organizationId, id) => one({ organizationId, _id: id }),

    insert: async ({ id, apiKey, ...account }) => {
      const sealedKey = apiKey === null ? null : keys.seal(apiKey, id);
      return accountOf(await insertOrFind<Stored>(accounts, { _id: id, ...account, sealedKey } as unknown as Stored));
    },

    current: (organizationId) =>
      newest.run(organizationId, () => one({ organizationId }, { sort: { connectedAt: -1, _id: -1 } })),
  };
}
