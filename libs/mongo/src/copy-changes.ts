import { gathered } from '@invoicing/concurrency';
import { type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { eachDocument } from './each-document';
import { inOrganization } from './in-organization';
import { isDuplicateKey } from './mongo-errors';
import { nativeCollection } from './open-collection';
import type { HistoryEntry, Recorded, RecordedSelf } from './recorded-document';
import { insertOnce } from './write-once';

/** Entries wait so long for others that are copied with them. */
const GATHERING = { waitMs: 250, limit: 1_000 };

interface ChangedDocument {
  readonly model: Model<Recorded>;
  readonly document: Recorded;
}

/** Copies changes from the documents that they are part of into the list. Each may run twice: an entry is there once. */
export function changeCopies(entries: Model<HistoryEntry>) {
  const copy = async <T extends RecordedSelf>(model: Model<T>, document: T): Promise<T> => {
    const { lastChange } = document;
    if (!lastChange?.isPending) return document;
    await insertOnce(entries, entryOf(document));
    await model.updateOne(sameRevision(document), COPIED as UpdateQuery<T>);
    const { isPending: _pending, ...copied } = lastChange;
    return { ...document, lastChange: copied };
  };

  const copyPending = async (model: Model<Recorded>, organizationId: string): Promise<void> => {
    const whose = model.schema.path('organizationId') ? { organizationId } : { _id: organizationId };
    const pending = { ...whose, 'lastChange.isPending': true } as QueryFilter<Recorded>;
    for await (const document of eachDocument<Recorded>(model.find(pending, SHOWN).lean())) await copy(model, document);
  };

  const copyOf = async (model: Model<Recorded>, documents: readonly Recorded[]): Promise<void> => {
    const wanted = {
      ...(model.schema.path('organizationId') && { organizationId: { $in: distinct(documents.map(ownerOf)) } }),
      _id: { $in: distinct(documents.map(({ _id }) => _id)) },
      'lastChange.isPending': true,
    } as QueryFilter<Recorded>;
    const pending = await model.find(wanted, SHOWN).lean<Recorded[]>().exec();
    if (pending.length === 0) return;
    const made = pending.map((document) => ({ insertOne: { document: entryOf(document) } }));
    await nativeCollection(entries).bulkWrite(made, { ordered: false }).catch(ifOnlyThereAlready);
    const done = pending.map((document) => ({ updateOne: { filter: sameRevision(document), update: COPIED } }));
    await nativeCollection(model).bulkWrite(done as never, { ordered: false });
  };
  // What fails is not lost: it stays pending.
  const copying = gathered(GATHERING, async (changed: readonly ChangedDocument[]) => {
    const ofModel = (model: Model<Recorded>) =>
      changed.filter((each) => each.model === model).map(({ document }) => document);
    const models = new Set(changed.map(({ model }) => model));
    await Promise.allSettled([...models].map((model) => copyOf(model, ofModel(model))));
  });
  const copySoon = <T extends RecordedSelf>(model: Model<T>, document: T): T => {
    if (document.lastChange?.isPending) copying.add({ model, document } as unknown as ChangedDocument);
    return document;
  };

  return {
    /** At once. Answers the document as it is then. */
    copy,
    /** Everything of an organisation that is not in the list yet. */
    copyPending,
    /** A moment later, together with others. */
    copySoon,
  };
}

const SHOWN = { organizationId: 1, revision: 1, lastChange: 1 };
const COPIED = { $unset: { 'lastChange.isPending': 1 } };

/** Of a document with a change. */
function entryOf(document: RecordedSelf): HistoryEntry {
  const { isPending: _pending, at, revision = document.revision ?? 0, ...change } = document.lastChange!;
  const organizationId = ownerOf(document);
  return { _id: `${document._id}:${revision}`, organizationId, revision, createdAt: at, ...change };
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

function ifOnlyThereAlready(error: unknown): void {
  const { writeErrors } = error as { writeErrors?: unknown };
  const all = Array.isArray(writeErrors) ? writeErrors : [error];
  if (!all.every((each) => isDuplicateKey(each))) throw error;
}

/** The document as it was seen. One of a version before has no revision: null matches what is not there. */
export const sameRevision = <T extends RecordedSelf>(document: T): QueryFilter<T> => {
  const { _id, revision = null, organizationId } = document as T & Partial<Recorded>;
  return { ...inOrganization(organizationId), _id, revision } as unknown as QueryFilter<T>;
};

/** Its organisation. */
export const ownerOf = (document: RecordedSelf & Partial<Recorded>): string => document.organizationId ?? document._id;
