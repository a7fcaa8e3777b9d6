import { dropIndex, type Db, type Filter, type Migration, type UpdateFilter } from '@invoicing/mongo';
import { DEFAULT_EVENT_TYPES } from '@invoicing/rules';

const BATCH = 500;

interface OldEndpoint {
  readonly _id: string;
  readonly organizationId: string;
  readonly events?: readonly string[];
  readonly behindAt?: Date;
}

/** What brings a store of the versions before up to this one, in order. */
export const notificationMigrations: readonly Migration[] = [
  {
    // The queue itself says which endpoints have one; the version before kept it on the endpoint, too.
    name: 'endpoints-without-mark-of-queue',
    run: async (db) => {
      await changeEndpoints(db, { behindAt: { $exists: true } }, { $unset: { behindAt: '' } });
      await dropIndex(db, 'endpoints', 'behindAt_1');
    },
  },
  {
    // They got every event there was, which was invoice.paid: the others are only for whom asks for them.
    name: 'endpoints-name-their-events',
    run: (db) => changeEndpoints(db, { events: [] }, { $set: { events: [...DEFAULT_EVENT_TYPES] } }),
  },
];

/** Changes every endpoint that the filter finds, after which it no longer finds it; each in its organisation, so on one shard. */
async function changeEndpoints(db: Db, filter: Filter<OldEndpoint>, update: UpdateFilter<OldEndpoint>): Promise<void> {
  const endpoints = db.collection<OldEndpoint>('endpoints');
  for (;;) {
    const found = await endpoints.find(filter, { projection: { organizationId: 1 }, limit: BATCH }).toArray();
    if (found.length === 0) return;
    await endpoints.bulkWrite(
      found.map(({ organizationId, _id }) => ({ updateOne: { filter: { organizationId, _id }, update } })),
      { ordered: false },
    );
  }
}
