import type { Collection, Document, Filter, FindCursor, WithId } from 'mongodb';

/** The indexes that `newestFirst` reads in their order: of an organisation, and of one of its profiles. */
export async function createNewestIndexes(collection: Pick<Collection, 'createIndex'>, equal: Document): Promise<void> {
  await collection.createIndex({ organizationId: 1, ...equal, createdAt: -1, _id: -1 });
  await collection.createIndex({ organizationId: 1, profileId: 1, ...equal, createdAt: -1, _id: -1 });
}

const SUMMARY = { number: 1, customerId: 1, publicToken: 1, issueDate: 1, 'totals.inclCents': 1, createdAt: 1 };

/** The newest of an organisation or a profile: read off an index, touching no more than it answers. */
export const newestFirst = <T extends Document>(
  collection: Collection<T>,
  filter: Filter<T> & { organizationId: string },
  profileId: string | undefined,
  limit: number,
): FindCursor<WithId<T>> =>
  collection
    .find({ ...filter, ...(profileId !== undefined && { profileId }) })
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .project(SUMMARY);
