import { CommandError } from '../command-error';
import { toDouble, isNumber } from '../bson/arithmetic';
import { typeName } from '../bson/type-name';
import { isDoc, type Doc, type Value } from '../bson/value';
import { describe } from '../bson/describe';

/**
 * What a field may hold. `bool` is a boolean only and `boolOrNumber` either; `optionalBool` is the same with other words of refusal;
 * `long` is an int64 only and `number` any number; `document` is an object with find's words of refusal; `hint` a name or a key pattern,
 * `update` an object or a pipeline.
 */
export type Kind =
  | 'any'
  | 'array'
  | 'bool'
  | 'boolOrNumber'
  | 'deleteLimit'
  | 'document'
  | 'hint'
  | 'long'
  | 'maxTime'
  | 'number'
  | 'object'
  | 'objects'
  | 'optionalBool'
  | 'string'
  | 'update';

/** One field of a command, as MongoDB's interface definitions (its .idl files) declare it. */
export interface Field {
  kind: Kind;
  required?: true;
  /** The least number that is accepted. */
  least?: number;
  /** The fields of the statements that a list holds, or of the one object. */
  statement?: Fields;
  /** Why a field that is accepted changes nothing. */
  ignored?: string;
}

/** The fields that a command or stage knows, and the types that they may have. */
export type Fields = Readonly<Record<string, Field>>;

const numbers = ['long', 'int', 'decimal', 'double'];

/** The BSON types of each kind; of those that are not here the refusal has words of its own. */
const types: Partial<Record<Kind, string[]>> = {
  array: ['array'],
  bool: ['bool'],
  boolOrNumber: ['bool', ...numbers],
  long: ['long'],
  number: numbers,
  object: ['object'],
  objects: ['array'],
  string: ['string'],
};

/** Refuses fields that the command does not have (40415), has not been given (40414), or has of another type (14). `path` begins with the command's name. */
export function checkFields(path: string, body: Doc, fields: Fields, common: Fields = {}, from = 0): void {
  const names = Object.keys(body);
  for (let i = from; i < names.length; i++) {
    const name = names[i]!;
    const field = Object.hasOwn(fields, name) ? fields[name] : Object.hasOwn(common, name) ? common[name] : undefined;
    if (!field) throw new CommandError('Location40415', `BSON field '${path}.${name}' is an unknown field.`);
    if (field.kind !== 'any') checkField(`${path}.${name}`, name, body[name]!, field);
  }
  for (const name in fields) {
    if (fields[name]!.required && (body[name] === undefined || body[name] === null))
      throw new CommandError('Location40414', `BSON field '${path}.${name}' is missing but a required field`);
  }
}

function checkField(path: string, name: string, value: Value, field: Field): void {
  // As in MongoDB, null is no value.
  if (value === null) return;
  checkKind(path, name, value, field.kind);
  if (field.least !== undefined && toDouble(value) < field.least)
    throw new CommandError(
      'Location51024',
      `BSON field '${name}' value must be >= ${field.least}, actual value '${String(value)}'`,
    );
  if (field.kind === 'objects') checkItems(path, value as Value[], field.statement);
  else if (field.statement && isDoc(value)) checkFields(path, value, field.statement);
}

function checkItems(path: string, items: Value[], statement: Fields | undefined): void {
  for (const [i, item] of items.entries()) {
    if (!isDoc(item)) throw wrongType(`${path}.${i}`, item, ['object']);
    if (statement) checkFields(path, item, statement);
  }
}

function checkKind(path: string, name: string, value: Value, kind: Kind): void {
  const wanted = types[kind];
  if (wanted) {
    if (!wanted.includes(typeName(value))) throw wrongType(path, value, wanted);
  } else if (kind === 'document') {
    if (!isDoc(value)) throw new CommandError('TypeMismatch', `Expected field ${name}to be of type object`);
  } else if (kind === 'hint') {
    if (typeof value !== 'string' && !isDoc(value))
      throw new CommandError('FailedToParse', 'Hint must be a string or an object');
  } else if (kind === 'optionalBool') {
    if (typeof value !== 'boolean' && !isNumber(value))
      throw new CommandError(
        'TypeMismatch',
        `Field '${name}' should be a boolean value, but found: ${typeName(value)}`,
      );
  } else if (kind === 'maxTime') checkMaxTime(name, value);
  else if (kind === 'update') {
    if (!isDoc(value) && !Array.isArray(value))
      throw new CommandError('FailedToParse', 'Update argument must be either an object or an array');
  } else if (kind === 'deleteLimit') {
    const limit = isNumber(value) ? Math.trunc(toDouble(value)) : NaN;
    if (limit !== 0 && limit !== 1)
      throw new CommandError(
        'FailedToParse',
        `The limit field in delete objects must be 0 or 1. Got ${describe(value)}`,
      );
  }
}

const maxInt = 2147483647;

function checkMaxTime(name: string, value: Value): void {
  if (!isNumber(value)) throw new CommandError('BadValue', `${name} must be a number`);
  const time = toDouble(value);
  if (time < 0 || time > maxInt)
    throw new CommandError('BadValue', `${String(value)} value for ${name} is out of range [0, ${maxInt}]`);
  if (!Number.isInteger(time)) throw new CommandError('BadValue', `${name} has non-integral value`);
}

const wrongType = (path: string, value: Value, wanted: string[]): CommandError =>
  new CommandError(
    'TypeMismatch',
    `BSON field '${path}' is the wrong type '${typeName(value)}', expected ${
      wanted.length === 1 ? `type '${wanted[0]}'` : `types '[${wanted.join(', ')}]'`
    }`,
  );
