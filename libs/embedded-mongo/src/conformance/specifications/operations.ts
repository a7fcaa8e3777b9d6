import {
  type AnyClientBulkWriteModel,
  type AnyBulkWriteOperation,
  type Document,
  type IndexSpecification,
} from 'mongodb';
import { optionsOf, type Entities } from './entities';
import { Skipped, type Operation } from './test-file';

type Run = (entities: Entities, object: string, args: Document) => Promise<unknown>;

/** A collection's operations: `arguments` apart from what the driver takes in order are its options. */
const collection: Record<string, Run> = {
  aggregate: (e, on, { pipeline, ...rest }) =>
    e
      .collection(on)
      .aggregate(pipeline as Document[], options(e, rest))
      .toArray(),
  bulkWrite: (e, on, { requests, ...rest }) =>
    e
      .collection(on)
      .bulkWrite(requests as AnyBulkWriteOperation[], options(e, rest))
      .then(bulkResult),
  count: (e, on, { filter, ...rest }) => e.collection(on).count(filter as Document, options(e, rest)),
  countDocuments: (e, on, { filter, ...rest }) => e.collection(on).countDocuments(filter as Document, options(e, rest)),
  createIndex: (e, on, { keys, ...rest }) => e.collection(on).createIndex(keys as IndexSpecification, options(e, rest)),
  deleteMany: (e, on, { filter, ...rest }) => e.collection(on).deleteMany(filter as Document, options(e, rest)),
  deleteOne: (e, on, { filter, ...rest }) => e.collection(on).deleteOne(filter as Document, options(e, rest)),
  distinct: (e, on, { fieldName, filter, ...rest }) =>
    e.collection(on).distinct(fieldName as string, filter as Document, options(e, rest)),
  dropIndex: (e, on, { name, ...rest }) => e.collection(on).dropIndex(name as string, options(e, rest)),
  dropIndexes: (e, on, rest) => e.collection(on).dropIndexes(options(e, rest)),
  estimatedDocumentCount: (e, on, rest) => e.collection(on).estimatedDocumentCount(options(e, rest)),
  find: (e, on, { filter, ...rest }) =>
    e
      .collection(on)
      .find(filter as Document, options(e, rest))
      .toArray(),
  findOne: (e, on, { filter, ...rest }) => e.collection(on).findOne(filter as Document, options(e, rest)),
  findOneAndDelete: (e, on, { filter, ...rest }) =>
    e.collection(on).findOneAndDelete(filter as Document, options(e, rest)),
  findOneAndReplace: (e, on, { filter, replacement, ...rest }) =>
    e.collection(on).findOneAndReplace(filter as Document, replacement as Document, returning(options(e, rest))),
  findOneAndUpdate: (e, on, { filter, update, ...rest }) =>
    e.collection(on).findOneAndUpdate(filter as Document, update as Document, returning(options(e, rest))),
  insertMany: (e, on, { documents, ...rest }) => e.collection(on).insertMany(copies(documents), options(e, rest)),
  insertOne: (e, on, { document, ...rest }) => e.collection(on).insertOne(copies([document])[0]!, options(e, rest)),
  listIndexes: (e, on, rest) => e.collection(on).listIndexes(options(e, rest)).toArray(),
  listIndexNames: (e, on, rest) =>
    e
      .collection(on)
      .listIndexes(options(e, rest))
      .toArray()
      .then((all) => all.map(({ name }) => name as string)),
  rename: (e, on, { to, ...rest }) => e.collection(on).rename(to as string, options(e, rest)),
  replaceOne: (e, on, { filter, replacement, ...rest }) =>
    e.collection(on).replaceOne(filter as Document, replacement as Document, options(e, rest)),
  updateMany: (e, on, { filter, update, ...rest }) =>
    e.collection(on).updateMany(filter as Document, update as Document, options(e, rest)),
  updateOne: (e, on, { filter, update, ...rest }) =>
    e.collection(on).updateOne(filter as Document, update as Document, options(e, rest)),
  createSearchIndex: (e, on, { model }) => e.collection(on).createSearchIndex(model as { definition: Document }),
  createSearchIndexes: (e, on, { models }) =>
    e.collection(on).createSearchIndexes(models as { definition: Document }[]),
  dropSearchIndex: (e, on, { name }) => e.collection(on).dropSearchIndex(name as string),
  listSearchIndexes: (e, on, { name, aggregationOptions }) =>
    (name === undefined
      ? e.collection(on).listSearchIndexes(options(e, aggregationOptions as Document))
      : e.collection(on).listSearchIndexes(name as string, options(e, aggregationOptions as Document))
    ).toArray(),
  updateSearchIndex: (e, on, { name, definition }) =>
    e.collection(on).updateSearchIndex(name as string, definition as Document),
  createFindCursor: async (e, on, { filter, ...rest }) => {
    const cursor = e.collection(on).find(filter as Document, options(e, rest));
    await cursor.hasNext(); // the format asks for the first batch to be there
    return cursor;
  },
};

const database: Record<string, Run> = {
  aggregate: (e, on, { pipeline, ...rest }) =>
    e
      .database(on)
      .aggregate(pipeline as Document[], options(e, rest))
      .toArray(),
  createCollection: (e, on, { collection: name, ...rest }) =>
    e.database(on).createCollection(name as string, options(e, rest)),
  dropCollection: (e, on, { collection: name, ...rest }) =>
    e.database(on).dropCollection(name as string, options(e, rest)),
  modifyCollection: (e, on, { collection: name, ...rest }) =>
    e.database(on).command({ collMod: name as string, ...rest }),
  listCollections: (e, on, { filter, ...rest }) =>
    e
      .database(on)
      .listCollections(filter as Document, options(e, rest))
      .toArray(),
  listCollectionNames: (e, on, { filter, ...rest }) =>
    e
      .database(on)
      .listCollections(filter as Document, { nameOnly: true, ...options(e, rest) })
      .toArray()
      .then((all) => all.map(({ name }) => name)),
  runCommand: (e, on, { command, commandName: _name, ...rest }) =>
    e.database(on).command(command as Document, options(e, rest)),
  runCursorCommand: (e, on, args) => runCursor(e, on, args).toArray(),
  createCommandCursor: async (e, on, args) => {
    const cursor = runCursor(e, on, args);
    await cursor.hasNext();
    return cursor;
  },
};

const client: Record<string, Run> = {
  clientBulkWrite: (e, on, { models, ...rest }) =>
    e
      .client(on)
      .bulkWrite((models as Document[]).map(clientModel), options(e, rest))
      .then(clientBulkResult),
  listDatabases: (e, on, rest) =>
    e
      .client(on)
      .db()
      .admin()
      .listDatabases(options(e, rest))
      .then(({ databases }) => databases),
  listDatabaseNames: (e, on, rest) =>
    e
      .client(on)
      .db()
      .admin()
      .listDatabases({ nameOnly: true, ...options(e, rest) })
      .then(({ databases }) => databases.map(({ name }) => name)),
  close: (e, on) => e.client(on).close(),
};

const session: Record<string, Run> = {
  endSession: (e, on) => e.session(on).endSession(),
  startTransaction: async (e, on, args) => e.session(on).startTransaction(optionsOf(args)),
  commitTransaction: (e, on) => e.session(on).commitTransaction(),
  abortTransaction: (e, on) => e.session(on).abortTransaction(),
};

const cursor: Record<string, Run> = {
  close: (e, on) => e.cursor(on).close(),
  iterateUntilDocumentOrError: (e, on) => e.cursor(on).next() as Promise<unknown>,
  iterateOnce: (e, on) => e.cursor(on).tryNext() as Promise<unknown>,
};

/** Runs an operation on an entity; what it gives is in the format's shape. */
export function runOperation(entities: Entities, { name, object, arguments: args = {} }: Operation): Promise<unknown> {
  const kind = kindOf(entities.get(object));
  const run =
    kind?.[
      name === 'listCollectionObjects' ? 'listCollections' : name === 'listDatabaseObjects' ? 'listDatabases' : name
    ];
  if (!run) throw new Skipped(`operation ${name} is not run by this runner`);
  return run(entities, object, args);
}

/** By what an entity can do: the driver's classes say no more. */
function kindOf(entity: unknown): Record<string, Run> | undefined {
  const has = (method: string): boolean => typeof (entity as Record<string, unknown>)[method] === 'function';
  if (has('startSession')) return client;
  if (has('createCollection')) return database;
  if (has('insertOne')) return collection;
  if (has('endSession')) return session;
  if (has('hasNext')) return cursor;
  return undefined;
}

function options(entities: Entities, { session: name, ...rest }: Document = {}): Document {
  return { ...optionsOf(rest), ...(typeof name === 'string' && { session: entities.session(name) }) };
}

const returning = ({ returnDocument, ...rest }: Document): Document => ({
  ...rest,
  ...(returnDocument !== undefined && { returnDocument: (returnDocument as string).toLowerCase() }),
});

/** The driver writes `_id` into what it inserts; the test file's documents stay as they are. */
const copies = (documents: unknown): Document[] => (documents as Document[]).map((each) => ({ ...each }));

function runCursor(
  e: Entities,
  on: string,
  { command, batchSize, maxTimeMS, comment, timeoutMode, cursorType, ...rest }: Document,
) {
  const { commandName: _name, ...others } = rest;
  const made = e.database(on).runCursorCommand(
    command as Document,
    {
      ...options(e, others),
      ...(timeoutMode !== undefined && { timeoutMode: timeoutMode as 'iteration' }),
      ...(cursorType !== undefined && { cursorType: cursorType as string }),
    } as Document,
  );
  if (batchSize !== undefined) made.setBatchSize(batchSize as number);
  if (maxTimeMS !== undefined) made.setMaxTimeMS(maxTimeMS as number);
  if (comment !== undefined) made.setComment(comment);
  return made;
}

function clientModel(model: Document): AnyClientBulkWriteModel<Document> {
  const [[name, details]] = Object.entries(model) as [[string, Document]];
  return { name, ...details } as unknown as AnyClientBulkWriteModel<Document>;
}

/** Counts and ids of a bulk write, read off the driver's object. */
export function bulkResult(result: Document): Document {
  const { insertedCount, matchedCount, modifiedCount, deletedCount, upsertedCount, insertedIds, upsertedIds } = result;
  if (result.ok === undefined && insertedCount === undefined) return { acknowledged: false };
  return { insertedCount, matchedCount, modifiedCount, deletedCount, upsertedCount, insertedIds, upsertedIds };
}

export function clientBulkResult(result: Document): Document {
  if (result.acknowledged === false) return { acknowledged: false };
  const byIndex = (map: Map<number, unknown> | undefined): Document | undefined => map && Object.fromEntries(map);
  const { insertResults, updateResults, deleteResults, ...counts } = result;
  // What the driver says beside what its specification lists.
  for (const each of (updateResults as Map<number, Document> | undefined)?.values() ?? []) delete each.didUpsert;
  return {
    ...counts,
    insertResults: byIndex(insertResults as Map<number, unknown>),
    updateResults: byIndex(updateResults as Map<number, unknown>),
    deleteResults: byIndex(deleteResults as Map<number, unknown>),
  };
}
