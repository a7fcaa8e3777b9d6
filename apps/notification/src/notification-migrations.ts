import { dropIndex, type Migration } from '@invoicing/mongo';
import { DEFAULT_EVENT_TYPES } from '@invoicing/rules';

/** What brings a store of the versions before up to this one, in order. */
export const notificationMigrations: readonly Migration[] = [
  {
    // The queue itself says which endpoints have one; the version before kept it on the endpoint, too.
    name: 'endpoints-without-mark-of-queue',
    run: async (db) => {
      await db.collection('endpoints').updateMany({ behindAt: { $exists: true } }, { $unset: { behindAt: 1 } });
      await dropIndex(db, 'endpoints', 'behindAt_1');
    },
  },
  {
    // They got every event there was, which was invoice.paid: the others are only for whom asks for them.
    name: 'endpoints-name-their-events',
    run: async (db) => {
      await db.collection('endpoints').updateMany({ events: [] }, { $set: { events: [...DEFAULT_EVENT_TYPES] } });
    },
  },
];
