import { ObjectId } from 'bson';
import { type Variables } from '../aggregate/expression';
import { activeCollation, collated, parseCollation, type Collation } from '../bson/collation';
import { CommandError } from '../command-error';
import { boolField, collectionName, docField, docsField, letVariables, type Command, write } from './command';
import { type Doc, type Value } from '../bson/value';
import { choosePlan } from '../plan/choose-plan';
import { execute, Found } from '../plan/execute';
import { estimateIn, find, resolveHint } from '../plan/find';
import { parseSort } from '../query/sort';
import { compileFilter } from '../query/compile-filter';
import { positional, type Matcher } from '../query/path';
import { checkNamespace } from '../storage/catalog';
import { type Collection } from '../storage/collection';
import { DocumentWriter } from '../storage/document-writer';
import { documentKey } from '../storage/keys';
import { type WriteTransaction } from '../storage/write-transaction';
import { compileUpdate, isReplacement, type CompiledUpdate } from '../update/compile-update';
import { upsertBase } from '../update/upsert';
import { maxWriteBatch, writeError } from './write-errors';

/** One statement of an `update`, compiled. */
export interface Statement extends CompiledUpdate {
  filter: Doc;
  matches: Matcher;
  replaces: boolean;
  multi: boolean;
  upsert: boolean;
  hint: Value | undefined;
  sort: Doc | undefined;
  collation: Collation | undefined;
  variables: Variables | undefined;
}

/** Compiles one statement; throws mongod's error for one that is wrong. */
export function compileStatement(spec: Doc, variables?: Variables): Statement {
  const collation = parseCollation(spec.collation) ?? activeCollation();
  return collated(collation, () => ({ ...parseStatement(spec, variables), collation }));
}

function parseStatement(spec: Doc, variables: Variables | undefined): Omit<Statement, 'collation'> {
  const filter = docField(spec, 'q')!;
  const multi = boolField(spec, 'multi');
  const sort = docField(spec, 'sort');
  if (sort && multi) throw new CommandError('FailedToParse', 'Cannot specify sort with multi=true');
  if (sort) parseSort(sort);
  const replaces = isReplacement(spec.u!);
  if (multi && replaces)
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style update');
  return {
    filter,
    matches: compileFilter(filter, variables),
    ...compileUpdate({
      u: spec.u!,
      arrayFilters: spec.arrayFilters,
      constants: { ...variables, ...docField(spec, 'c') },
    }),
    replaces,
    multi,
    upsert: boolField(spec, 'upsert'),
    hint: spec.hint,
    sort,
    variables,
  };
}

/** The documents that a statement concerns. Those of a multi update are all found before one of them changes, so that none is met twice. */
export function* targets(
  transaction: WriteTransaction,
  collection: Collection,
  statement: Statement,
): Generator<Found> {
  const { store } = transaction;
  const { filter, matches, multi, hint, sort, variables } = statement;
  if (sort) {
    const options = { filter, sort, limit: 1, hint: resolveHint(collection, hint), variables };
    for (const found of find(store, collection, options).stream) if (found) return yield found;
    return;
  }
  const plan = choosePlan(collection, { filter, hint: resolveHint(collection, hint) }, estimateIn(store));
  const records: number[] = [];
  for (const found of execute(store, collection, plan, matches, { keys: 0, docs: 0 }, multi ? 16 : 1)) {
    if (!found) continue;
    if (!multi) return yield found;
    records.push(found.record);
  }
  for (const record of records) {
    const bytes = store.get(documentKey(collection.number, record));
    if (bytes) yield new Found(record, bytes);
  }
}

/** One document that a statement met. */
export interface Changed {
  before: Buffer;
  after: Doc;
  modified: boolean;
}

/** Applies a statement to one stored document. */
export function applyTo(writer: DocumentWriter, statement: Statement, found: Found): Changed | undefined {
  positional.index = undefined;
  if (!statement.matches(found.doc)) return undefined;
  // The update may change the document in place.
  const keys = writer.keysOf(found.doc, statement.roots);
  const after = statement.update(found.doc, { positionalIndex: positional.index });
  return { before: found.bytes, after, modified: writer.replace(found.record, found.bytes, after, keys) };
}

/** Inserts what an upsert makes of its filter and update. */
export function insertUpsert(writer: DocumentWriter, statement: Statement): Doc {
  const base = upsertBase(statement.filter, statement.replaces);
  let doc = statement.update(base, { inserting: true });
  if (doc._id === undefined) doc = { _id: base._id ?? new ObjectId(), ...doc };
  writer.insert(doc);
  return doc;
}

/** `update`. */
export function updateCommand(command: Command): Promise<Doc> {
  const { db, body } = command;
  const name = collectionName(command);
  checkNamespace(db, name);
  const ordered = boolField(body, 'ordered', true);
  const bypass = boolField(body, 'bypassDocumentValidation');
  const updates = docsField(body, 'updates');
  if (updates.length === 0 || updates.length > maxWriteBatch) {
    throw new CommandError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${maxWriteBatch}. Got ${updates.length} operations.`,
    );
  }
  const statements = updates.map((spec) => compiled(spec, letVariables(body)));
  return write(command, (transaction): Doc => {
    const result = { n: 0, nModified: 0, upserted: [] as Doc[], errors: [] as Doc[] };
    for (const [index, statement] of statements.entries()) {
      const mark = transaction.mark();
      try {
        if (statement instanceof CommandError) throw statement;
        collated(statement.collation, () => runUpdate(transaction, { db, name, bypass }, statement, index, result));
      } catch (error) {
        transaction.rollback(mark);
        result.errors.push(writeError(index, error));
        if (ordered) break;
      }
    }
    const { n, nModified, upserted, errors } = result;
    return {
      n,
      nModified,
      ...(upserted.length > 0 && { upserted }),
      ...(errors.length > 0 && { writeErrors: errors }),
    };
  });
}

/** A statement that cannot be compiled fails alone, in its turn. */
export function compiled(spec: Doc, variables: Variables | undefined): Statement | CommandError {
  try {
    return compileStatement(spec, variables);
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

/** Which collection is written to, and whether its validator is passed over. */
export interface Target {
  db: string;
  name: string;
  bypass: boolean;
}

/** Runs one statement inside a write, and adds what it did to `result`. */
export function runUpdate(
  transaction: WriteTransaction,
  { db, name, bypass }: Target,
  statement: Statement,
  index: number,
  result: { n: number; nModified: number; upserted: Doc[] },
): void {
  const existing = transaction.collection(db, name);
  const writer = existing && new DocumentWriter(transaction, existing, bypass);
  let found = 0;
  for (const target of existing ? targets(transaction, existing, statement) : []) {
    found++;
    const changed = applyTo(writer!, statement, target);
    if (!changed) continue;
    result.n++;
    if (changed.modified) result.nModified++;
  }
  if (found > 0 || !statement.upsert) return;
  const upserting = writer ?? new DocumentWriter(transaction, transaction.createCollection(db, name), bypass);
  const doc = insertUpsert(upserting, statement);
  result.n++;
  result.upserted.push({ index, _id: doc._id! });
}
