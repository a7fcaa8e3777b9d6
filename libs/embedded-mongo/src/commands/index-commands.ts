import { CommandError } from '../command-error';
import { compareValues } from '../bson/compare';
import { isDoc, type Doc, type Value } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { findIndex, namespaceOf, sameKey, type Collection, type Index } from '../storage/collection';
import { parseIndexSpec } from '../storage/index-spec';
import { slotPrefix } from '../storage/keys';
import { describe } from '../bson/describe';
import { type WriteTransaction } from '../storage/write-transaction';
import { type CursorReply } from '../wire/message';
import { buildIndex } from './build-index';
import { collectionName, countField, docsField, type Command } from './command';

const maxIndexes = 64;

/** `createIndexes`. */
export function createIndexesCommand(command: Command): Promise<Doc> {
  const { body, db, engine } = command;
  const name = collectionName(command);
  const specs = docsField(body, 'indexes');
  if (specs.length === 0) throw new CommandError('BadValue', 'Must specify at least one index to create');
  for (const spec of specs) parseIndexSpec(spec, 0); // refuses before anything is created
  return engine.writes.run<Doc>((transaction): Doc => {
    const existing = transaction.collection(db, name);
    let collection = existing ?? transaction.createCollection(db, name);
    const before = collection.indexes.length;
    for (const spec of specs) {
      if (!alreadyThere(collection, parseIndexSpec(spec, 0))) collection = build(transaction, collection, spec);
    }
    const after = collection.indexes.length;
    return {
      numIndexesBefore: before,
      numIndexesAfter: after,
      createdCollectionAutomatically: !existing,
      ...(before === after && { note: 'all indexes already exist' }),
    };
  });
}

/** The same index again is nothing; the same name or the same identity with something else different is a conflict. */
function alreadyThere(collection: Collection, wanted: Index): boolean {
  const both = (index: Index): string =>
    `Requested index: ${describe(wanted.spec)}, existing index: ${describe(index.spec)}`;
  const sameOptions = (index: Index): boolean => index.expireAfterSeconds === wanted.expireAfterSeconds;
  const byName = collection.indexes.find((index) => index.name === wanted.name);
  if (byName) {
    if (!sameIdentity(byName, wanted)) {
      throw new CommandError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. ${both(byName)}`,
      );
    }
    if (sameOptions(byName)) return true;
    throw new CommandError(
      'IndexOptionsConflict',
      `An equivalent index already exists with the same name but different options. ${both(byName)}`,
    );
  }
  const same = collection.indexes.find((index) => sameIdentity(index, wanted));
  if (!same) return false;
  if (same.slot === 1) return true; // { _id: 1 } under any name
  if (sameOptions(same))
    throw new CommandError('IndexOptionsConflict', `Index already exists with a different name: ${same.name}`);
  throw new CommandError(
    'IndexOptionsConflict',
    `An equivalent index already exists with a different name and options. ${both(same)}`,
  );
}

/** What makes two indexes one: keys, uniqueness, and which documents are in it. */
const sameIdentity = (a: Index, b: Index): boolean =>
  sameKey(a.key, b.key) &&
  (a.slot === 1 ||
    (a.unique === b.unique && a.sparse === b.sparse && compareValues(a.partial?.filter, b.partial?.filter) === 0));

function build(transaction: WriteTransaction, collection: Collection, spec: Doc): Collection {
  if (collection.indexes.length >= maxIndexes)
    throw new CommandError('CannotCreateIndex', `add index fails, too many indexes for ${collection.name}`);
  const index = parseIndexSpec(spec, collection.nextSlot);
  const extended = { ...collection, indexes: [...collection.indexes, index], nextSlot: collection.nextSlot + 1 };
  return buildIndex(transaction, extended, index);
}

/** `listIndexes`. */
export function listIndexesCommand(command: Command): Promise<CursorReply> {
  const { body, db, engine } = command;
  const name = collectionName(command);
  const collection = engine.collection(db, name);
  if (!collection) throw new CommandError('NamespaceNotFound', `ns does not exist: ${db}.${name}`);
  const specs = collection.indexes.map(({ spec }) => writeDocument(spec));
  const batchSize = isDoc(body.cursor) ? countField(body.cursor, 'batchSize') : undefined;
  return engine.cursors.start(namespaceOf(db, name), specs[Symbol.iterator](), { batchSize: batchSize ?? Infinity });
}

/** `dropIndexes`, by name, by key or all. */
export function dropIndexesCommand(command: Command): Promise<Doc> {
  const { body, db, engine } = command;
  const name = collectionName(command);
  const wanted = body.index;
  return engine.writes.run<Doc>((transaction): Doc => {
    const collection = transaction.collection(db, name);
    if (!collection) throw new CommandError('NamespaceNotFound', `ns not found ${db}.${name}`);
    const gone = wanted === '*' ? collection.indexes.slice(1) : (Array.isArray(wanted) ? wanted : [wanted]).map(one);
    for (const { slot } of gone) transaction.discard(slotPrefix(collection.number, slot));
    transaction.setCollection({ ...collection, indexes: collection.indexes.filter((index) => !gone.includes(index)) });
    return { nIndexesWas: collection.indexes.length };

    function one(which: Value | undefined): Index {
      const index = findIndex(collection!, which);
      if (!index) {
        throw new CommandError(
          'IndexNotFound',
          typeof which === 'string'
            ? `index not found with name [${which}]`
            : `can't find index with key: ${describe(which)}`,
        );
      }
      if (index.slot === 1) throw new CommandError('InvalidOptions', 'cannot drop _id index');
      return index;
    }
  });
}
