import type { Db } from 'mongodb';
import type { Draft } from './draft';
import type { Drafts } from './invoice-ports';
import { createNewestIndexes, newestFirst } from './newest-store';
import { insertOnce } from '../organizations/organization-store';

/** Drafts, open and closed. */
export async function mongoDrafts(db: Db): Promise<Drafts> {
  const collection = db.collection<Draft>('drafts');
  await createNewestIndexes(collection, { open: 1 });
  const editable = (organizationId: string, id: string) => ({ _id: id, organizationId, state: 'draft' as const });
  return {
    find: (organizationId, id) => collection.findOne({ _id: id, organizationId, open: true }),
    findAny: (id) => collection.findOne({ _id: id }),
    insert: (draft) => insertOnce(() => collection.insertOne(draft)),
    replace: (organizationId, id, content) =>
      collection.findOneAndUpdate(
        editable(organizationId, id),
        { $set: content, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      ),
    startIssuing: async (organizationId, id, revision) => {
      const { matchedCount } = await collection.updateOne(
        { _id: id, organizationId, open: true, revision },
        { $set: { state: 'issuing' } },
      );
      return matchedCount === 1;
    },
    closeIssued: async (ids) => {
      await collection.updateMany({ _id: { $in: [...ids] } }, { $set: { state: 'issued', open: false } });
    },
    remove: async (organizationId, id) => {
      const closed = { state: 'deleted' as const, open: false, lines: [] };
      const { matchedCount } = await collection.updateOne(editable(organizationId, id), { $set: closed });
      return matchedCount === 1;
    },
    newest: (organizationId, profileId, limit) =>
      newestFirst(collection, { organizationId, open: true }, profileId, limit).toArray(),
  };
}
