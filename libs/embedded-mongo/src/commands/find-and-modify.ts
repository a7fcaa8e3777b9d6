import { type Variables } from '../aggregate/expression';
import { collated, parseCollation } from '../bson/collation';
import { CommandError } from '../command-error';
import { readDocument } from '../bson/read-document';
import { type Doc, type Value } from '../bson/value';
import { type Found } from '../plan/execute';
import { find, resolveHint } from '../plan/find';
import { compileFilter } from '../query/compile-filter';
import { positional } from '../query/path';
import { compileProjection } from '../query/projection';
import { parseSort } from '../query/sort';
import { checkNamespace } from '../storage/catalog';
import { type Collection } from '../storage/collection';
import { DocumentWriter } from '../storage/document-writer';
import { type WriteTransaction } from '../storage/write-transaction';
import { boolField, collectionName, docField, letVariables, type Command, write } from './command';
import { applyTo, compileStatement, insertUpsert, type Statement } from './update';

/** `findAndModify`. */
export function findAndModifyCommand(command: Command): Promise<Doc> {
  const collation = parseCollation(command.body.collation);
  const job = collated(collation, () => compile(command));
  return write(command, (transaction) => collated(collation, () => job(transaction)));
}

function compile(command: Command): (transaction: WriteTransaction) => Doc {
  const { db, body } = command;
  const name = collectionName(command);
  checkNamespace(db, name);
  const filter = docField(body, 'query') ?? {};
  const sort = docField(body, 'sort');
  if (sort) parseSort(sort);
  const remove = boolField(body, 'remove');
  const wantsNew = boolField(body, 'new');
  if (remove && body.update !== undefined)
    throw new CommandError('FailedToParse', 'Cannot specify both an update and remove=true');
  if (remove && wantsNew)
    throw new CommandError(
      'FailedToParse',
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  if (remove && boolField(body, 'upsert'))
    throw new CommandError('FailedToParse', 'Cannot specify both upsert=true and remove=true');
  if (!remove && body.update === undefined)
    throw new CommandError('FailedToParse', 'Either an update or remove=true must be specified');
  const variables = letVariables(body);
  const project = projection(body, filter, variables);
  const search = { filter, sort, hint: body.hint, variables };

  if (remove) {
    compileFilter(filter, variables);
    return (transaction) => {
      const collection = transaction.collection(db, name);
      const found = collection && first(transaction, collection, search);
      if (!found) return { lastErrorObject: { n: 0 }, value: null };
      new DocumentWriter(transaction, collection).remove(found.record, found.bytes);
      return { lastErrorObject: { n: 1 }, value: project(found.doc) };
    };
  }

  const statement = compileStatement(
    {
      q: filter,
      u: body.update!,
      upsert: boolField(body, 'upsert'),
      ...(body.arrayFilters !== undefined && { arrayFilters: body.arrayFilters }),
    },
    variables,
  );
  return (transaction) =>
    modify(transaction, {
      db,
      name,
      bypass: boolField(body, 'bypassDocumentValidation'),
      statement,
      search,
      wantsNew,
      project,
    });
}

interface Search {
  filter: Doc;
  sort: Doc | undefined;
  hint: Value | undefined;
  variables: Variables | undefined;
}

interface Modification {
  db: string;
  name: string;
  bypass: boolean;
  statement: Statement;
  search: Search;
  wantsNew: boolean;
  project: (doc: Doc) => Doc;
}

function modify(
  transaction: WriteTransaction,
  { db, name, bypass, statement, search, wantsNew, project }: Modification,
): Doc {
  const existing = transaction.collection(db, name);
  const found = existing && first(transaction, existing, search);
  if (found) {
    const changed = applyTo(new DocumentWriter(transaction, existing, bypass), statement, found)!;
    const value = project(wantsNew ? changed.after : readDocument(changed.before));
    return { lastErrorObject: { n: 1, updatedExisting: true }, value };
  }
  if (!statement.upsert) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
  const writer = new DocumentWriter(transaction, existing ?? transaction.createCollection(db, name), bypass);
  const doc = insertUpsert(writer, statement);
  return {
    lastErrorObject: { n: 1, updatedExisting: false, upserted: doc._id! },
    value: wantsNew ? project(doc) : null,
  };
}

/** The one document that is concerned; found within the transaction, so no other writer is between finding and changing it. */
function first(
  transaction: WriteTransaction,
  collection: Collection,
  { filter, sort, hint, variables }: Search,
): Found | undefined {
  const options = { filter, sort, limit: 1, variables, hint: resolveHint(collection, hint) };
  for (const found of find(transaction.store, collection, options).stream) if (found) return found;
  return undefined;
}

function projection(body: Doc, filter: Doc, variables: Variables | undefined): (doc: Doc) => Doc {
  const fields = docField(body, 'fields');
  if (!fields || Object.keys(fields).length === 0) return (doc) => doc;
  const project = compileProjection(fields, 'find');
  const matches = compileFilter(filter, variables);
  return (doc) => {
    positional.index = undefined;
    matches(doc);
    return project(doc, { positionalIndex: positional.index, ...(variables && { variables }) });
  };
}
