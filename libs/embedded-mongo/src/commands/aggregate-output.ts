import { CommandError } from '../command-error';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Engine } from '../engine';
import { checkNamespace } from '../storage/catalog';
import { DocumentWriter } from '../storage/document-writer';
import { mergeOptions } from './merge-options';
import { checkUnique, merge } from './merge-output';

/** Writes what a pipeline found. */
export type Output = (engine: Engine, docs: Doc[]) => Promise<void>;

/** `$out` or `$merge`, when a pipeline ends with one. */
export function parseOutput(stage: Doc | undefined, db: string, engine: Engine): Output | undefined {
  if (stage?.$out !== undefined) return out(target(stage.$out, db));
  if (stage?.$merge === undefined) return undefined;
  const options = mergeOptions(stage.$merge, db);
  checkUnique(engine.collection(options.db, options.name), options.on);
  return (_engine, docs) => merge(engine, options, docs);
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
  if (found.name.startsWith('system.'))
    throw new CommandError('Location17385', `Can't $out to special collection: ${found.name}`);
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
