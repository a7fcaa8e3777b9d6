import { compileExpression } from '../aggregate/compile-expression';
import { type Variables } from '../aggregate/expression';
import { checkVariableName } from '../aggregate/variable-name';
import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { typeName } from '../bson/type-name';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Engine } from '../engine';
import { once, type Retry } from '../replication/retryable-writes';
import { type WriteTransaction } from '../storage/write-transaction';
import { type Reply } from '../wire/connection';
import { type Peer } from '../wire/peer';

/** One command as a handler sees it. */
export interface Command {
  name: string;
  db: string;
  body: Doc;
  /** Documents of an insert, still encoded. */
  documents: Buffer[] | undefined;
  engine: Engine;
  peer: Peer;
  /** The logical session that it came in. */
  session: string | undefined;
  /** Set for a write that its client may send again. */
  retry: Retry | undefined;
}

/** What a command does; throws a CommandError. */
export type Handler = (command: Command) => Promise<Reply> | Reply;

/** Runs a write that may be sent again: at most once for its session and transaction number. */
export async function write({ engine, retry }: Command, work: (transaction: WriteTransaction) => Doc): Promise<Doc> {
  if (!retry) return engine.writes.run(work);
  let afterwards: (() => void) | undefined;
  const reply = await engine.writes.run((transaction) =>
    once(transaction, retry, () => {
      const result = work(transaction);
      afterwards = engine.failPoints?.withinWrite();
      return result;
    }),
  );
  afterwards?.();
  return reply;
}

/** The collection that a command names as its first argument. */
export function collectionName({ name, body }: Command): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  if (value === '') throw new CommandError('InvalidNamespace', `Invalid namespace specified '${String(body.$db)}.'`);
  throw new CommandError('InvalidNamespace', `collection name has invalid type ${typeName(value)}`);
}

/** mongod's TypeMismatch for a field of a command. */
export const wrongType = (field: string, value: Value, expected: string): CommandError =>
  new CommandError(
    'TypeMismatch',
    `BSON field '${field}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );

/** A field that is a document; undefined when it is missing or null. Throws TypeMismatch. */
export function docField(body: Doc, name: string): Doc | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isDoc(value)) throw wrongType(name, value, 'object');
  return value;
}

/** A required list of documents. Throws FailedToParse without it, TypeMismatch for something else. */
export function docsField(body: Doc, name: string): Doc[] {
  const value = body[name];
  if (value === undefined)
    throw new CommandError('FailedToParse', `BSON field '${name}' is missing but a required field`);
  if (!Array.isArray(value)) throw wrongType(name, value, 'array');
  for (const item of value) if (!isDoc(item)) throw wrongType(name, item, 'object');
  return value as Doc[];
}

/** A field that is a number, truncated; undefined when it is missing or null. Throws TypeMismatch. */
export function integerField(body: Doc, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isNumber(value)) throw wrongType(name, value, 'long');
  return Math.trunc(toDouble(value));
}

/** As `integerField`, and not negative. */
export function countField(body: Doc, name: string): number | undefined {
  const value = integerField(body, name);
  if (value !== undefined && value < 0)
    throw new CommandError('Location51024', `BSON field '${name}' value must be >= 0, actual value '${value}'`);
  return value;
}

/** A field that is a boolean or a number; `fallback` when it is missing or null. Throws TypeMismatch. */
export function boolField(body: Doc, name: string, fallback = false): boolean {
  const value = body[name];
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return toDouble(value) !== 0;
  throw wrongType(name, value, 'bool');
}

/** `let` of a command: constants that its expressions may refer to. */
export function letVariables(body: Doc): Variables | undefined {
  const given = docField(body, 'let');
  if (!given) return undefined;
  return Object.fromEntries(
    Object.keys(given).map((name) => {
      checkVariableName(name);
      return [name, compileExpression(given[name]!)({})];
    }),
  );
}
