import type { Db } from 'mongodb';
import type { Draft } from '../domain/draft';
import type { Drafts, DraftSummary } from '../usecases/ports';
import { insertOnce } from './mongo-organizations';

const SUMMARY = { customerId: 1, publicToken: 1, issueDate: 1, 'totals.inclCents': 1, createdAt: 1 };

/** Drafts, open and closed. */
export async function mongoDrafts(db: Db): Promise<Drafts> {
  const collection = db.collection<Draft>('drafts');
  await collection.createIndex({ organizationId: 1, open: 1, createdAt: -1, _id: -1 });
  await collection.createIndex({ organizationId: 1, profileId: 1, open: 1, createdAt: -1, _id: -1 });
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
      collection
        .find({ organizationId, ...(profileId !== undefined && { profileId }), open: true })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .project<DraftSummary>(SUMMARY)
        .toArray(),
  };
}
