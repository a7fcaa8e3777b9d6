import { type mongo } from 'mongoose';
import { batched } from '@invoicing/concurrency';
import { MongoBulkWriteError, type Collection, type Filter, type WithId } from './driver-types';
import { insertOnce, type Insert } from './write-once';

// A command costs the store and the driver ten times what a document in it costs: what is asked at the same time goes together.
const DOCUMENTS = 100;

/**
 * Inserts into a native collection, many in one command when many are asked for at once. Each is refused by itself: what the validator or
 * another unique index refuses is thrown to its own caller.
 */
export function joinedInserts<T extends mongo.Document & { readonly _id: string }>(into: Collection<T>): Insert<T> {
  const alone = (document: T): Promise<boolean> => insertOnce<T>(into as never, document, '_id');
  const insert = batched(
    { limit: DOCUMENTS },
    async (documents: readonly T[]): Promise<PromiseSettledResult<boolean>[]> => {
      if (documents.length === 1) return [{ status: 'fulfilled', value: await alone(documents[0]!) }];
      try {
        await into.insertMany(documents as never, { ordered: false });
        return documents.map(() => DONE);
      } catch (error) {
        // Of an unknown outcome for all of them.
        if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
        // The driver does not say by which index: what is refused is asked again, alone.
        const refused = new Set([error.writeErrors].flat().map(({ index }) => index));
        const again = documents.map(async (document, index) => !refused.has(index) || alone(document));
        return Promise.allSettled(again);
      }
    },
  );
  return async (document) => {
    const outcome = await insert(document);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
}

type Kept = mongo.Document & { readonly _id: string };

interface Asked {
  readonly organizationId: string | undefined;
  readonly ids: readonly string[];
}

const DONE = { status: 'fulfilled', value: true } as const;

/**
 * Reads documents by their ids, many in one command when many are asked for at once: what is asked while a command runs is answered by a
 * later one, so each answer is of after its question. Answers what is there and the organisation's, where one is named, in no order. Who
 * asks for the same is given the same object.
 */
export function joinedFinds<T extends Kept>(
  collection: Collection<T>,
  options: mongo.FindOptions = {},
): (organizationId: string | undefined, ids: readonly string[]) => Promise<WithId<T>[]> {
  const find = batched(
    { limit: DOCUMENTS, weightOf: ({ ids }: Asked) => ids.length },
    async (asked: readonly Asked[]): Promise<WithId<T>[][]> => {
      const found = new Map<string, WithId<T>>();
      for (const each of await read(asked)) found.set(each._id, each);
      return asked.map(({ organizationId, ids }) =>
        ids
          .map((id) => found.get(id))
          .filter((each) => each !== undefined)
          .filter((each) => organizationId === undefined || each['organizationId'] === organizationId),
      );
    },
  );
  const read = async (asked: readonly Asked[]): Promise<WithId<T>[]> => {
    const ids = distinct(asked.flatMap((each) => each.ids));
    const organizationIds = distinct(asked.map(({ organizationId }) => organizationId));
    const whose = organizationIds.includes(undefined) ? {} : { organizationId: oneOf(organizationIds) };
    const filter = { ...whose, _id: oneOf(ids) } as Filter<T>;
    if (ids.length > 1) return collection.find(filter, options).hint({ _id: 1 }).toArray();
    const one = await collection.findOne(filter, options);
    return one ? [one] : [];
  };
  return async (organizationId, ids) => (ids.length === 0 ? [] : find({ organizationId, ids: distinct(ids) }));
}

/** The same for one document. */
export function joinedFind<T extends Kept>(
  ...of: Parameters<typeof joinedFinds<T>>
): (organizationId: string | undefined, id: string) => Promise<WithId<T> | null> {
  const find = joinedFinds<T>(...of);
  return async (organizationId, id) => (await find(organizationId, [id]))[0] ?? null;
}

const distinct = <V>(values: readonly V[]): V[] => [...new Set(values)];

const oneOf = <V>(values: readonly V[]): V | { $in: readonly V[] } =>
  values.length === 1 ? values[0]! : { $in: values };
