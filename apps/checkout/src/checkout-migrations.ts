import { dropUniqueIndex, type Migration } from '@invoicing/mongo';

/** What brings a store of the versions before up to this one, in order. */
export const checkoutMigrations: readonly Migration[] = [
  {
    // A unique index that does not begin with the organisation would keep sessions from being sharded by it.
    name: 'tokens-without-unique-index',
    run: (db) => dropUniqueIndex(db, 'sessions', 'token_1'),
  },
];
