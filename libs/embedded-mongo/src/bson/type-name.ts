import { type Code } from 'bson';
import { bsonClass, isDoc, type Value } from './value';

/** BSON type numbers and the aliases that `$type` accepts. */
export const typeNumbers: Record<string, number> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
};

const classNames: Record<string, string> = {
  Double: 'double',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Binary: 'binData',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
  BSONSymbol: 'symbol',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
};

/** Whether a number is stored as an int. */
export const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= -2147483648 && value <= 2147483647 && !Object.is(value, -0);

/** The alias of a value's BSON type, as `$type` spells it; `missing` for an absent field. */
export function typeName(value: Value | undefined): string {
  switch (typeof value) {
    case 'undefined':
      return 'missing';
    case 'number':
      return isInt32(value) ? 'int' : 'double';
    case 'bigint':
      return 'long';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    default:
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (isDoc(value)) return 'object';
  const name = bsonClass(value) ?? '';
  if (name === 'Code') return (value as Code).scope ? 'javascriptWithScope' : 'javascript';
  return classNames[name] ?? 'object';
}
