import { type Connection, type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { AppError } from '@invoicing/errors';
import { knownActor } from '@invoicing/rules';
import { changeCopies, ownerOf, sameRevision } from './copy-changes';
import { cursorOf, newestPage } from './newest';
import { openCollection } from './open-collection';
import { deleteSome, type PurgeBatch } from './purge';
import {
  historyCollection,
  type Change,
  type HistoryEntry,
  type Recorded,
  type RecordedSelf,
} from './recorded-document';
import { insertOrFind, type Insert } from './write-once';

/** One change as a list shows it; `cursor` asks for what is older. */
export interface ListedChange extends Pick<Change, 'by' | 'action' | 'subject'> {
  readonly at: Date;
  readonly fields: string[];
  readonly revision: number;
  readonly cursor: string;
}

/** A change beside the update that makes it. */
export interface ChangeOf<T> extends Change {
  readonly update: Pick<UpdateQuery<T>, '$set' | '$unset' | '$push'>;
  /** What must still hold of the document, beside its revision. */
  readonly only?: QueryFilter<T>;
}

/**
 * The changes of an organisation's documents in one list. A change is part of its document's own write; the entry is copied from there a
 * moment later, together with others, else before the document changes again and before the list is read: a process that ends between
 * loses none, and nobody waits for it.
 */
export interface History {
  /** Inserts a document with the change that made it, or answers the one that is there (`insertOrFind`). */
  readonly insert: <T extends RecordedSelf>(
    model: Model<T>,
    document: T,
    change: Change,
    insert?: Insert<T>,
  ) => Promise<T>;
  /** Changes a document that is still as it was `seen`; throws `revision_conflict` when it is not. Answers it changed. */
  readonly change: <T extends RecordedSelf>(model: Model<T>, seen: T, change: ChangeOf<T>) => Promise<T>;
  /** The same for who decides again: null when it is not as it was seen. */
  readonly tryChange: <T extends RecordedSelf>(model: Model<T>, seen: T, change: ChangeOf<T>) => Promise<T | null>;
  /** Throws `revision_conflict`, with what changed, unless the caller has seen the latest revision, or did not say what it saw. */
  readonly assertSeen: <T extends RecordedSelf>(
    model: Model<T>,
    document: T,
    revision: number | undefined,
  ) => Promise<void>;
  /** Copies what of the organisation is not in the list yet. Before a document is deleted: its last change would go with it. */
  readonly copyNow: (organizationId: string) => Promise<void>;
  /** Newest first. */
  readonly page: (
    organizationId: string,
    wanted: { readonly limit: number; readonly cursor?: string | undefined },
  ) => Promise<{ readonly entries: ListedChange[]; readonly cursor: string | undefined }>;
  /** Ends entries that are older than the books need them. */
  readonly purge: PurgeBatch;
}

// How many changes a conflict tells of.
const TOLD = 20;
/** The history of these collections of one database. */
export async function openHistory(
  connection: Connection,
  models: readonly Pick<Model<unknown>, 'modelName'>[],
): Promise<History> {
  const entries = await openCollection(connection, historyCollection);
  const { copy, copyPending, copySoon } = changeCopies(entries);

  const copyNow = async (organizationId: string): Promise<void> => {
    await Promise.all(models.map((model) => copyPending(model as unknown as Model<Recorded>, organizationId)));
  };

  const tryChange: History['tryChange'] = async (model, seen, { update, only, ...change }) => {
    await copy(model, seen);
    const $set = { ...update.$set, ...attributed(change, (seen.revision ?? 0) + 1, new Date()) };
    const changed = await model
      .findOneAndUpdate({ ...only, ...sameRevision(seen) }, { ...update, $set } as never, { returnDocument: 'after' })
      .lean<typeof seen>()
      .exec();
    return changed && copySoon(model, changed);
  };

  return {
    tryChange,
    insert: async (model, document, change, insert) => {
      const first = { ...document, ...attributed(change, 1, document.updatedAt ?? new Date()) };
      return copySoon(model, await insertOrFind(model, first, insert));
    },
    change: async (model, seen, change) => {
      const changed = await tryChange(model, seen, change);
      if (!changed) throw conflict('it is being changed by somebody else');
      return changed;
    },
    assertSeen: async (model, document, seen) => {
      const { _id, revision = 0 } = document;
      const organizationId = ownerOf(document);
      if (seen === undefined || seen === revision) return;
      await copy(model, document);
      const ids = Array.from(
        { length: Math.min(Math.max(revision - seen, 0), TOLD) },
        (_, at) => `${_id}:${revision - at}`,
      );
      const later = await entries
        .find({ organizationId, _id: { $in: ids } })
        .sort({ revision: 1 })
        .lean<HistoryEntry[]>()
        .exec();
      const told = later.map(({ by, fields, action }) => `${fields.join(', ') || action} by ${by.label ?? by.id}`);
      throw conflict(`it is at revision ${revision}, not ${seen}: changed since: ${told.join('; ') || 'unknown'}`);
    },
    copyNow,
    page: async (organizationId, wanted) => {
      await copyNow(organizationId);
      const { items, next } = await newestPage(entries, { organizationId }, wanted);
      return { entries: items.map(listed), cursor: next };
    },
    purge: (before, limit) => deleteSome(entries, { createdAt: { $lt: before } }, limit),
  };
}

const listed = (entry: HistoryEntry): ListedChange => {
  const { by, action, subject, fields, revision, createdAt: at } = entry;
  return { by, action, subject, fields: [...fields], revision, at, cursor: cursorOf(entry) };
};

function attributed({ by: whoever, ...change }: Change, revision: number, at: Date) {
  const by = knownActor(whoever);
  return { revision, updatedAt: at, updatedBy: by, lastChange: { ...change, by, at, revision, isPending: true } };
}

const conflict = (message: string): AppError => new AppError('conflict', 'revision_conflict', message);
