import { type Decimal128, type Timestamp } from 'bson';
import { toDouble } from '../bson/arithmetic';
import { bsonClass, isDoc, type Value } from '../bson/value';
import { compileRegex, isRegex } from '../query/regex';

/** A value as mingo takes it: numbers and regular expressions as JavaScript has them, times as Date. */
export function toPlain(value: Value): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(toPlain);
  if (isDoc(value)) return Object.fromEntries(Object.keys(value).map((name) => [name, toPlain(value[name]!)]));
  if (isRegex(value)) return compileRegex(value.pattern, value.options);
  switch (bsonClass(value)) {
    case 'Double':
    case 'Decimal128':
      return toDouble(value as Decimal128);
    case 'Timestamp':
      return new Date((value as Timestamp).t * 1000);
    default:
      return value;
  }
}

/** What mingo answers, as values of ours: a missing value becomes null. */
export function fromPlain(value: unknown): Value {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (isDoc(value)) return Object.fromEntries(Object.keys(value).map((name) => [name, fromPlain(value[name])]));
  return value as Value;
}
