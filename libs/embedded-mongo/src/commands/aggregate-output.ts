import { CommandError } from '../command-error';
import { compilePipelineUpdate } from '../aggregate/pipeline-update';
import { mergeDocs } from '../aggregate/operators/object';
import { getField, isDoc, type Doc, type Value } from '../bson/value';
import { type Engine } from '../engine';
import { choosePlan } from '../plan/choose-plan';
import { execute } from '../plan/execute';
import { compileFilter } from '../query/compile-filter';
import { checkNamespace } from '../storage/catalog';
import { DocumentWriter } from '../storage/document-writer';
import { type WriteTransaction } from '../storage/write-transaction';

/** Writes what a pipeline found. */
export type Output = (engine: Engine, docs: Doc[]) => Promise<void>;

/** `$out` or `$merge`, when a pipeline ends with one. */
export function parseOutput(stage: Doc | undefined, db: string): Output | undefined {
  if (stage?.$out !== undefined) return out(target(stage.$out, db));
  if (stage?.$merge !== undefined) return merge(stage.$merge, db);
  return undefined;
}

function target(value: Value | undefined, db: string): { db: string; name: string } {
  const found =
    typeof value === 'string'
      ? { db, name: value }
      : isDoc(value)
        ? { db: value.db ?? db, name: value.coll }
        : undefined;
  if (typeof found?.name !== 'string' || typeof found.db !== 'string')
    throw new CommandError('Location16990', 'the output of a pipeline must be named');
  checkNamespace(found.db, found.name);
  return found as { db: string; name: string };
}

/** Takes the place of the collection, which keeps its indexes. */
function out({ db, name }: { db: string; name: string }): Output {
  return (engine, docs) =>
    engine.writes.run((transaction) => {
      const before = transaction.collection(db, name);
      if (before) transaction.dropCollection(before);
      const created = transaction.createCollection(db, name, before?.options);
      const indexes =
        before?.indexes.map((index) => ({ ...index, multikey: false, truncated: false })) ?? created.indexes;
      const collection = { ...created, indexes, nextSlot: before?.nextSlot ?? created.nextSlot };
      transaction.setCollection(collection);
      const writer = new DocumentWriter(transaction, collection);
      for (const doc of docs) writer.insert(doc);
    });
}

function merge(spec: Value, currentDb: string): Output {
  const options: Doc = isDoc(spec) ? spec : { into: spec };
  const { db, name } = target(options.into, currentDb);
  const on =
    options.on === undefined ? ['_id'] : Array.isArray(options.on) ? (options.on as string[]) : [options.on as string];
  const { whenMatched = 'merge', whenNotMatched = 'insert' } = options;
  const update = Array.isArray(whenMatched) ? compilePipelineUpdate(whenMatched) : undefined;

  return (engine, docs) =>
    engine.writes.run((transaction) => {
      const writer = new DocumentWriter(
        transaction,
        transaction.collection(db, name) ?? transaction.createCollection(db, name),
      );
      for (const doc of docs) mergeOne(transaction, writer, doc);
    });

  function mergeOne(transaction: WriteTransaction, writer: DocumentWriter, doc: Doc): void {
    const filter: Doc = Object.fromEntries(on.map((path) => [path, { $eq: getField(doc, path) ?? null }]));
    const plan = choosePlan(writer.collection, { filter });
    const matches = compileFilter(filter);
    let found;
    for (const match of execute(transaction.store, writer.collection, plan, matches, { keys: 0, docs: 0 }, 1))
      if ((found = match)) break;
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
    if (whenMatched === 'fail')
      throw new CommandError('DuplicateKey', `E11000 duplicate key error collection: ${db}.${name}`);
    const old = found.doc;
    // The update may change the document in place.
    const keys = writer.keysOf(old, undefined);
    const next = update
      ? update(old, {})
      : whenMatched === 'replace'
        ? { _id: old._id!, ...doc }
        : mergeDocs([old, doc]);
    writer.replace(found.record, found.bytes, next, keys);
  }
}
