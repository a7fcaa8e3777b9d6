import { compileExpression } from '../aggregate/compile-expression';
import { type Variables } from '../aggregate/expression';
import { checkVariableName } from '../aggregate/variable-name';
import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { typeName } from '../bson/type-name';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Engine } from '../engine';
import { type Reply } from '../wire/connection';

/** One command as a handler sees it. */
export interface Command {
  name: string;
  db: string;
  body: Doc;
  /** Documents of an insert, still encoded. */
  documents: Buffer[] | undefined;
  engine: Engine;
  connectionId: number;
}

export type Handler = (command: Command) => Promise<Reply> | Reply;

/** The collection that a command names as its first argument. */
export function collectionName({ name, body }: Command): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  if (value === '') throw new CommandError('InvalidNamespace', `Invalid namespace specified '${String(body.$db)}.'`);
  throw new CommandError('InvalidNamespace', `collection name has invalid type ${typeName(value)}`);
}

export const wrongType = (field: string, value: Value, expected: string): CommandError =>
  new CommandError(
    'TypeMismatch',
    `BSON field '${field}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );

export function docField(body: Doc, name: string): Doc | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isDoc(value)) throw wrongType(name, value, 'object');
  return value;
}

export function docsField(body: Doc, name: string): Doc[] {
  const value = body[name];
  if (value === undefined)
    throw new CommandError('FailedToParse', `BSON field '${name}' is missing but a required field`);
  if (!Array.isArray(value)) throw wrongType(name, value, 'array');
  for (const item of value) if (!isDoc(item)) throw wrongType(name, item, 'object');
  return value as Doc[];
}

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

export function boolField(body: Doc, name: string, fallback = false): boolean {
  const value = body[name];
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return toDouble(value) !== 0;
  throw wrongType(name, value, 'bool');
}

/** Only the simple collation, which is none, is there. */
export function refuseCollation(body: Doc): void {
  const { collation } = body;
  if (isDoc(collation) && Object.keys(collation).length > 0 && collation.locale !== 'simple') {
    throw new CommandError('CommandNotSupported', 'collation is not supported by this server');
  }
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
