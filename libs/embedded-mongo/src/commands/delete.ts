import { type Variables } from '../aggregate/expression';
import { collated, parseCollation, type Collation } from '../bson/collation';
import { CommandError } from '../command-error';
import { type Doc, type Value } from '../bson/value';
import { choosePlan } from '../plan/choose-plan';
import { execute } from '../plan/execute';
import { estimateIn, resolveHint } from '../plan/find';
import { compileFilter } from '../query/compile-filter';
import { type Matcher } from '../query/path';
import { checkNamespace } from '../storage/catalog';
import { DocumentWriter } from '../storage/document-writer';
import { type WriteTransaction } from '../storage/write-transaction';
import {
  boolField,
  collectionName,
  docField,
  docsField,
  integerField,
  letVariables,
  type Command,
  write,
} from './command';
import { writeError } from './write-errors';

/** One statement of a `delete`, compiled. */
export interface Deletion {
  filter: Doc;
  matches: Matcher;
  one: boolean;
  collation: Collation | undefined;
  hint: Value | undefined;
}

/** `delete`. */
export function deleteCommand(command: Command): Promise<Doc> {
  const { db, body } = command;
  const name = collectionName(command);
  checkNamespace(db, name);
  const ordered = boolField(body, 'ordered', true);
  const deletions = docsField(body, 'deletes').map((spec) => compileDeletion(spec, letVariables(body)));
  return write(command, (transaction): Doc => {
    const errors: Doc[] = [];
    let n = 0;
    for (const [index, deletion] of deletions.entries()) {
      const mark = transaction.mark();
      try {
        if (deletion instanceof CommandError) throw deletion;
        n += collated(deletion.collation, () => runDelete(transaction, db, name, deletion));
      } catch (error) {
        transaction.rollback(mark);
        errors.push(writeError(index, error));
        if (ordered) break;
      }
    }
    return errors.length > 0 ? { n, writeErrors: errors } : { n };
  });
}

/** A deletion that cannot be compiled fails alone, in its turn. */
export function compileDeletion(spec: Doc, variables: Variables | undefined): Deletion | CommandError {
  try {
    const collation = parseCollation(spec.collation);
    const filter = docField(spec, 'q')!;
    return {
      filter,
      matches: collated(collation, () => compileFilter(filter, variables)),
      collation,
      one: integerField(spec, 'limit') === 1,
      hint: spec.hint,
    };
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

/** Runs one statement inside a write; answers how many documents it deleted. */
export function runDelete(
  transaction: WriteTransaction,
  db: string,
  name: string,
  { filter, matches, one, hint }: Deletion,
): number {
  const collection = transaction.collection(db, name);
  if (!collection) return 0;
  const plan = choosePlan(collection, { filter, hint: resolveHint(collection, hint) }, estimateIn(transaction.store));
  const found = [];
  for (const match of execute(transaction.store, collection, plan, matches, { keys: 0, docs: 0 }, one ? 1 : 16)) {
    if (match) found.push(match);
    if (match && one) break;
  }
  const writer = new DocumentWriter(transaction, collection);
  for (const { record, bytes } of found) writer.remove(record, bytes);
  return found.length;
}
