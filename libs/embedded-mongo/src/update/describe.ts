import { EJSON } from 'bson';
import { isDoc, type Value } from '../bson/value';

/** A value as MongoDB shows it in messages: `{ a: 1, b: "x" }`. */
export function describe(value: Value | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return value.length ? `[ ${value.map(describe).join(', ')} ]` : '[]';
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (isDoc(value)) {
    const fields = Object.keys(value).map((name) => `${name}: ${describe(value[name])}`);
    return fields.length ? `{ ${fields.join(', ')} }` : '{}';
  }
  const tag = (value as { _bsontype?: string })._bsontype;
  if (tag === 'ObjectId') return `ObjectId('${String(value)}')`;
  if (tag === 'Double' || tag === 'Decimal128') return String(value);
  if (tag === 'MinKey' || tag === 'MaxKey') return tag;
  return EJSON.stringify(value);
}
