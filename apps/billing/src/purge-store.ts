import { deleteSome, openCollection, type Connection, type History, type Purges } from '@invoicing/mongo';
import { draftCollection } from './invoices/draft-store';
import { openSubscriptions } from './subscriptions/subscription-store';

/** What billing purges because of its age. */
export async function openPurges(connection: Connection, history: Pick<History, 'purge'>): Promise<Purges> {
  const drafts = await openCollection(connection, draftCollection);
  const subscriptions = await openSubscriptions(connection);
  return {
    history: history.purge,
    closedDrafts: (before, limit) => deleteSome(drafts, { open: false, createdAt: { $lt: before } }, limit),
    endedSubscriptions: (before, limit) =>
      deleteSome(
        subscriptions,
        {
          status: 'ended',
          nextRunDate: { $lt: before.toISOString().slice(0, 10) },
          // One that was to begin long ago may have been made yesterday.
          createdAt: { $lt: before },
        },
        limit,
      ),
  };
}
