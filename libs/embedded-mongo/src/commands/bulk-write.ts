import { type Variables } from '../aggregate/expression';
import { collated } from '../bson/collation';
import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { type Doc, type Value } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { checkNamespace } from '../storage/catalog';
import { DocumentWriter } from '../storage/document-writer';
import { type WriteTransaction } from '../storage/write-transaction';
import { type CursorReply } from '../wire/message';
import { boolField, countField, docField, docsField, letVariables, write, type Command } from './command';
import { compileDeletion, runDelete, type Deletion } from './delete';
import { compiled as compiledUpdate, runUpdate, type Statement, type Target } from './update';
import { maxWriteBatch, writeError } from './write-errors';

type Operation =
  | { kind: 'insert'; target: Target; document: Doc }
  | { kind: 'update'; target: Target; statement: Statement | CommandError }
  | { kind: 'delete'; target: Target; deletion: Deletion | CommandError };

type Counts = Record<'nInserted' | 'nMatched' | 'nModified' | 'nUpserted' | 'nDeleted', number>;

/** Inserts, updates and deletes in many collections with one command (MongoDB 8.0). */
export async function bulkWriteCommand(command: Command): Promise<CursorReply> {
  const { body } = command;
  const ordered = boolField(body, 'ordered', true);
  const operations = parseOperations(body);
  const done = await write(command, (transaction) => {
    const total: Counts = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
    const results: Doc[] = [];
    for (const [idx, operation] of operations.entries()) {
      const mark = transaction.mark();
      try {
        results.push({ ok: 1, idx, ...run(transaction, operation, total) });
      } catch (error) {
        transaction.rollback(mark);
        const { index: _index, ...refusal } = writeError(idx, error);
        results.push({ ok: 0, idx, ...refusal, n: 0, ...(operation.kind === 'update' && { nModified: 0 }) });
        if (ordered) break;
      }
    }
    return { ...total, results };
  });
  return answer(command, done);
}

/** The results come by a cursor: all of them, or with `errorsOnly` those that failed. */
async function answer({ body, engine, session }: Command, { results, ...total }: Doc): Promise<CursorReply> {
  const failed = (results as Doc[]).filter(({ ok }) => ok === 0);
  const shown = boolField(body, 'errorsOnly') ? failed : (results as Doc[]);
  const batchSize = countField(docField(body, 'cursor') ?? {}, 'batchSize') ?? Infinity;
  const documents = shown.map((each) => writeDocument(each))[Symbol.iterator]();
  const reply = await engine.cursors.start('admin.$cmd.bulkWrite', documents, { batchSize, session });
  return reply.with({ ...total, nErrors: failed.length });
}

function run(transaction: WriteTransaction, operation: Operation, total: Counts): Doc {
  const { db, name, bypass } = operation.target;
  switch (operation.kind) {
    case 'insert': {
      const collection = transaction.collection(db, name) ?? transaction.createCollection(db, name);
      new DocumentWriter(transaction, collection, bypass).insert(operation.document);
      total.nInserted++;
      return { n: 1 };
    }
    case 'delete': {
      const { deletion } = operation;
      if (deletion instanceof CommandError) throw deletion;
      const n = collated(deletion.collation, () => runDelete(transaction, db, name, deletion));
      total.nDeleted += n;
      return { n };
    }
    case 'update': {
      const { statement, target } = operation;
      if (statement instanceof CommandError) throw statement;
      const result = { n: 0, nModified: 0, upserted: [] as Doc[] };
      collated(statement.collation, () => runUpdate(transaction, target, statement, 0, result));
      const { n, nModified, upserted } = result;
      total.nMatched += n - upserted.length;
      total.nModified += nModified;
      total.nUpserted += upserted.length;
      return { n, nModified, ...(upserted[0] && { upserted: { _id: upserted[0]._id! } }) };
    }
  }
}

function parseOperations(body: Doc): Operation[] {
  const operations = docsField(body, 'ops');
  if (operations.length === 0 || operations.length > maxWriteBatch)
    throw new CommandError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${maxWriteBatch}. Got ${operations.length} operations.`,
    );
  const bypass = boolField(body, 'bypassDocumentValidation');
  const targets = docsField(body, 'nsInfo').map(({ ns }) => targetOf(ns, bypass));
  const variables = letVariables(body);
  return operations.map((each) => parseOperation(each, targets, variables));
}

function parseOperation(spec: Doc, targets: Target[], variables: Variables | undefined): Operation {
  const kind = Object.keys(spec)[0];
  if (kind !== 'insert' && kind !== 'update' && kind !== 'delete')
    throw new CommandError('FailedToParse', `BulkWriteOperationTypes: unknown operation ${String(kind)}`);
  const at: Value = spec[kind]!;
  const target = isNumber(at) ? targets[toDouble(at)] : undefined;
  if (!target) throw new CommandError('BadValue', `BulkWrite ops entry has an invalid nsInfo index: ${String(at)}`);
  const { filter: q, updateMods: u, constants: c, multi, [kind]: _target, ...rest } = spec;
  if (kind === 'insert') return { kind, target, document: docField(spec, 'document') ?? {} };
  if (kind === 'delete')
    return { kind, target, deletion: compileDeletion({ ...rest, q: q!, limit: multi === true ? 0 : 1 }, variables) };
  const update: Doc = { ...rest, q: q!, u: u!, ...(c !== undefined && { c }), multi: multi ?? false };
  return { kind, target, statement: compiledUpdate(update, variables) };
}

function targetOf(namespace: Value | undefined, bypass: boolean): Target {
  const [db = '', ...rest] = typeof namespace === 'string' ? namespace.split('.') : [];
  const name = rest.join('.');
  checkNamespace(db, name);
  return { db, name, bypass };
}
