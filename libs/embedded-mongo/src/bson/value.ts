import {
  type Binary,
  type BSONRegExp,
  type BSONSymbol,
  type Code,
  type Decimal128,
  type Double,
  type MaxKey,
  type MinKey,
  type ObjectId,
  type Timestamp,
} from 'bson';

/**
 * A decoded BSON value. Every BSON type keeps its identity, and the common ones stay plain:
 * int32 and non-integral double → number; int64 → bigint; a double whose value is a 32-bit integer → Double.
 * So `number` encodes back to exactly the type it came from (bson's own rule for numbers).
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Double
  | Decimal128
  | ObjectId
  | Binary
  | Timestamp
  | BSONRegExp
  | Code
  | BSONSymbol
  | MinKey
  | MaxKey
  | Value[]
  | Doc;

/** A document: its fields, in order. */
export type Doc = { [field: string]: Value };

/** MongoDB's order of types, spaced so that index keys can use the numbers as tags. */
export const TypeOrder = {
  minKey: 1,
  undefined: 2,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binary: 30,
  objectId: 35,
  boolean: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  dbRef: 55,
  code: 60,
  codeWithScope: 65,
  maxKey: 127,
} as const;

/** Whether it is a document, and no array and no BSON class. */
export const isDoc = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The `_bsontype` of a bson class instance, else undefined. */
export const bsonClass = (value: object): string | undefined => (value as { _bsontype?: string })._bsontype;

/** Own field or undefined: inherited names such as `constructor` are not fields. */
export function getField(doc: Doc, name: string): Value | undefined {
  const value = doc[name] as Value | undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'function' || name === '__proto__') return Object.hasOwn(doc, name) ? value : undefined;
  return value;
}

/** Sets a field whatever its name, also `__proto__`. */
export function setField(doc: Doc, name: string, value: Value): void {
  if (name === '__proto__')
    Object.defineProperty(doc, name, { value, enumerable: true, writable: true, configurable: true });
  else doc[name] = value;
}

/** Place of a value's type in the order of BSON types. */
export function typeOrder(value: Value | undefined): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return TypeOrder.number;
    case 'string':
      return TypeOrder.string;
    case 'boolean':
      return TypeOrder.boolean;
    case 'undefined':
      return TypeOrder.undefined;
    default:
      return objectTypeOrder(value);
  }
}

function objectTypeOrder(value: Exclude<Value, number | bigint | string | boolean>): number {
  if (value === null) return TypeOrder.null;
  if (Array.isArray(value)) return TypeOrder.array;
  if (value instanceof Date) return TypeOrder.date;
  if (isDoc(value)) return TypeOrder.object;
  switch (bsonClass(value)) {
    case 'Double':
    case 'Decimal128':
    case 'Int32':
    case 'Long':
      return TypeOrder.number;
    case 'ObjectId':
      return TypeOrder.objectId;
    case 'Binary':
      return TypeOrder.binary;
    case 'Timestamp':
      return TypeOrder.timestamp;
    case 'BSONRegExp':
      return TypeOrder.regex;
    case 'BSONSymbol':
      return TypeOrder.string;
    case 'Code':
      return (value as Code).scope ? TypeOrder.codeWithScope : TypeOrder.code;
    case 'MinKey':
      return TypeOrder.minKey;
    case 'MaxKey':
      return TypeOrder.maxKey;
    default:
      return TypeOrder.object;
  }
}

/** Whether it is null or missing. */
export const isNil = (value: Value | undefined): value is null | undefined => value === null || value === undefined;
