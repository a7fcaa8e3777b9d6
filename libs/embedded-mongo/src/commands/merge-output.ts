import { mergeDocs } from '../aggregate/operators/object';
import { CommandError } from '../command-error';
import { valuesEqual } from '../bson/compare';
import { getField, isDoc, type Doc, type Value } from '../bson/value';
import { type Engine } from '../engine';
import { choosePlan } from '../plan/choose-plan';
import { execute, type Found } from '../plan/execute';
import { compileFilter } from '../query/compile-filter';
import { type Collection } from '../storage/collection';
import { DocumentWriter } from '../storage/document-writer';
import { type WriteTransaction } from '../storage/write-transaction';
import { describe } from '../bson/describe';
import { type MergeOptions } from './merge-options';

/** Writes the documents of a pipeline into a collection as its `$merge` says. All or nothing, unlike MongoDB, which keeps what was written before a failure. */
export function merge(engine: Engine, options: MergeOptions, docs: Doc[]): Promise<void> {
  const { db, name } = options;
  return engine.writes.run((transaction) => {
    const existing = transaction.collection(db, name);
    checkUnique(existing, options.on);
    if (docs.length === 0) return;
    const writer = new DocumentWriter(transaction, existing ?? transaction.createCollection(db, name));
    for (const doc of docs) mergeOne(transaction, writer, options, doc);
  });
}

/** Asked for before the pipeline runs, too. */
export function checkUnique(collection: Collection | undefined, on: string[]): void {
  if (on.length === 1 && on[0] === '_id') return;
  const wanted = on.toSorted().join('\0');
  const serves = collection?.indexes.some(
    ({ unique, partial, fields }) =>
      unique &&
      !partial &&
      fields
        .map(({ path }) => path)
        .toSorted()
        .join('\0') === wanted,
  );
  if (!serves) throw new CommandError('Location51183', 'Cannot find index to verify that join fields will be unique');
}

function mergeOne(transaction: WriteTransaction, writer: DocumentWriter, options: MergeOptions, doc: Doc): void {
  const { whenMatched, whenNotMatched } = options;
  const found = whenMatched === 'fail' ? undefined : counterpart(transaction, writer.collection, options.on, doc);
  if (!found) {
    if (whenNotMatched === 'fail')
      throw new CommandError(
        'MergeStageNoMatchingDocument',
        '$merge could not find a matching document in the target collection for at least one document in the source collection',
      );
    if (whenNotMatched === 'insert') writer.insert(doc);
    return;
  }
  if (whenMatched === 'keepExisting') return;
  const old = found.doc;
  // The update may change the document in place.
  const keys = writer.keysOf(old, undefined);
  const id = old._id!;
  writer.replace(found.record, found.bytes, sameId(id, changed(old, doc, options), whenMatched), keys);
}

function changed(old: Doc, doc: Doc, { whenMatched, variables }: MergeOptions): Doc {
  if (whenMatched === 'replace') return { _id: old._id!, ...doc };
  if (typeof whenMatched === 'string') return mergeDocs([old, doc]);
  return whenMatched(old, Object.fromEntries(variables.map(([name, expression]) => [name, expression(doc)])));
}

/** The one document of the target that has the same values in the joining fields. */
function counterpart({ store }: WriteTransaction, collection: Collection, on: string[], doc: Doc): Found | undefined {
  if (on.length === 1 && on[0] === '_id' && doc._id === undefined) return undefined;
  const filter: Doc = Object.fromEntries(on.map((path) => [path, { $eq: joinValue(doc, path) }]));
  const plan = choosePlan(collection, { filter });
  for (const match of execute(store, collection, plan, compileFilter(filter), { keys: 0, docs: 0 }, 1))
    if (match) return match;
  return undefined;
}

function joinValue(doc: Doc, path: string): Value {
  let value: Value | undefined = doc;
  for (const part of path.split('.')) {
    value = isDoc(value) ? getField(value, part) : undefined;
    if (Array.isArray(value))
      throw new CommandError('Location51185', `$merge write error: 'on' field '${path}' cannot be an array`);
  }
  if (value === undefined || value === null)
    throw new CommandError(
      'Location51132',
      `$merge write error: 'on' field '${path}' cannot be missing, null or undefined`,
    );
  return value;
}

function sameId(id: Value, doc: Doc, mode: MergeOptions['whenMatched']): Doc {
  if (doc._id === undefined) return { _id: id, ...doc };
  if (valuesEqual(doc._id, id)) return doc;
  throw new CommandError(
    'ImmutableField',
    `$merge failed to update the matching document, did you attempt to modify the _id or the shard key? :: caused by :: ${
      mode === 'merge'
        ? "Performing an update on the path '_id' would modify the immutable field '_id'"
        : `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${describe(doc._id)}`
    }`,
  );
}
