import { CommandError } from '../command-error';
import { valuesEqual } from '../bson/compare';
import { isDoc, type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { compileFilter } from '../query/compile-filter';
import { checkNamespace } from '../storage/catalog';
import { namespaceOf, type Collection } from '../storage/collection';
import { documentSize, indexSize } from '../storage/sizes';
import { describe } from '../bson/describe';
import { type CursorReply } from '../wire/message';
import { boolField, collectionName, countField, docField, type Command } from './command';
import { collectionOptions } from './collection-options';
import { checkView, isView, notOnView } from './views';
import { finish } from './finish';

/** `create`, of a collection or a view. */
export function createCommand(command: Command): Promise<Doc> {
  const { body, db, engine } = command;
  const name = collectionName(command);
  const options = collectionOptions(body);
  if (options.viewOn !== undefined) checkView(engine, db, name, options);
  return engine.writes.run<Doc>((transaction): Doc => {
    const existing = transaction.collection(db, name);
    if (!existing) transaction.createCollection(db, name, options);
    else if (!valuesEqual(existing.options, options)) {
      throw new CommandError(
        'NamespaceExists',
        `namespace ${db}.${name} already exists, but with different options: ${describe(existing.options)}`,
      );
    }
    return {};
  });
}

/** `drop`. */
export function dropCommand(command: Command): Promise<Doc> {
  const { db, engine } = command;
  const name = collectionName(command);
  checkNamespace(db, name);
  return engine.writes.run<Doc>((transaction): Doc => {
    const collection = transaction.collection(db, name);
    if (!collection) return {};
    transaction.dropCollection(collection);
    return { nIndexesWas: collection.indexes.length, ns: namespaceOf(db, name) };
  });
}

/** `dropDatabase`. */
export function dropDatabaseCommand({ db, engine }: Command): Promise<Doc> {
  return engine.writes.run<Doc>((transaction): Doc => {
    const collections = [...transaction.catalog.writing.values()].filter((collection) => collection.db === db);
    for (const collection of collections) transaction.dropCollection(collection);
    return collections.length > 0 ? { dropped: db } : {};
  });
}

/** `renameCollection`. */
export function renameCollectionCommand({ body, engine }: Command): Promise<Doc> {
  const [from, to] = [body.renameCollection, body.to].map((value) => {
    const [db, ...rest] = typeof value === 'string' ? value.split('.') : [];
    const name = rest.join('.');
    if (!db) throw new CommandError('InvalidNamespace', `Invalid namespace specified: ${String(value)}`);
    checkNamespace(db, name);
    return { db, name };
  }) as [{ db: string; name: string }, { db: string; name: string }];
  return engine.writes.run<Doc>((transaction): Doc => {
    const source = transaction.collection(from.db, from.name);
    if (!source)
      throw new CommandError('NamespaceNotFound', `Source collection ${from.db}.${from.name} does not exist`);
    if (isView(source)) throw notOnView(from.db, from.name);
    const target = transaction.collection(to.db, to.name);
    if (target && !boolField(body, 'dropTarget')) throw new CommandError('NamespaceExists', 'target namespace exists');
    if (target) transaction.dropCollection(target);
    transaction.moveCollection(source, to.db, to.name);
    return {};
  });
}

/** `listCollections`. */
export function listCollectionsCommand({ body, db, engine }: Command): Promise<CursorReply> {
  const matches = compileFilter(docField(body, 'filter') ?? {});
  const nameOnly = boolField(body, 'nameOnly');
  const listed = [...engine.catalog.visible.values()]
    .filter((collection) => collection.db === db)
    .map(describeCollection)
    .filter(matches)
    .map((doc) => (nameOnly ? { name: doc.name!, type: doc.type! } : doc));
  const batchSize = isDoc(body.cursor) ? countField(body.cursor, 'batchSize') : undefined;
  return engine.cursors.start(`${db}.$cmd.listCollections`, listed.map(writeDocument)[Symbol.iterator](), {
    batchSize: batchSize ?? Infinity,
  });
}

const describeCollection = (collection: Collection): Doc => {
  const { name, options, uuid } = collection;
  if (isView(collection)) return { name, type: 'view', options, info: { readOnly: true } };
  return {
    name,
    type: 'collection',
    options,
    info: { readOnly: false, uuid },
    idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
  };
};

/** `listDatabases`. */
export async function listDatabasesCommand(command: Command): Promise<Doc> {
  const { body, engine } = command;
  const matches = compileFilter(docField(body, 'filter') ?? {});
  const nameOnly = boolField(body, 'nameOnly');
  const databases: Doc[] = [];
  let total = 0;
  for (const name of new Set([...engine.catalog.visible.values()].map(({ db }) => db).sort())) {
    const sizeOnDisk = nameOnly ? 0 : await sizeOfDatabase(command, name);
    const database: Doc = nameOnly ? { name } : { name, sizeOnDisk: BigInt(sizeOnDisk), empty: false };
    if (!matches(database)) continue;
    databases.push(database);
    total += sizeOnDisk;
  }
  if (nameOnly) return { databases };
  return { databases, totalSize: BigInt(total), totalSizeMb: BigInt(Math.trunc(total / 1024 / 1024)) };
}

async function sizeOfDatabase(command: Command, db: string): Promise<number> {
  const { store, catalog } = command.engine;
  let bytes = 0;
  for (const collection of catalog.visible.values()) {
    if (collection.db !== db) continue;
    bytes += (await finish(command, documentSize(store, collection))).stored;
    for (const index of collection.indexes)
      bytes += (await finish(command, indexSize(store, collection, index))).stored;
  }
  return bytes;
}
