import { readDocument } from '../bson/read-document';
import { type Doc, type Value } from '../bson/value';
import { type Collection, type Index } from '../storage/collection';
import { DocumentWriter } from '../storage/document-writer';
import { indexKeys } from '../storage/index-keys';
import { documentRange, recordOf } from '../storage/keys';
import { type WriteTransaction } from '../storage/write-transaction';

/** Fills an index that is declared in the collection and has nothing in it yet. Returns the collection with what was found on the way, such as arrays. */
export function buildIndex(transaction: WriteTransaction, collection: Collection, index: Index): Collection {
  transaction.setCollection(collection);
  const writer = new DocumentWriter(transaction, collection);
  for (const { key, value } of transaction.store.entries(documentRange(collection.number))) {
    const doc = readDocument(value);
    const current = writer.collection.indexes.find(({ slot }) => slot === index.slot)!;
    writer.addKeys(current, indexKeys(current, doc), recordOf(key), doc);
  }
  return writer.collection;
}

/** Of each key that several documents have in an index, their ids: `{ ids: [1, 2] }`. */
export function duplicates(transaction: WriteTransaction, collection: Collection, index: Index): Doc[] {
  const byKey = new Map<string, Value[]>();
  for (const { value } of transaction.store.entries(documentRange(collection.number))) {
    const doc = readDocument(value);
    for (const key of indexKeys(index, doc).keys) {
      const name = key.toString('latin1');
      const ids = byKey.get(name);
      if (ids) ids.push(doc._id!);
      else byKey.set(name, [doc._id!]);
    }
  }
  return [...byKey.values()].filter((ids) => ids.length > 1).map((ids) => ({ ids }));
}
