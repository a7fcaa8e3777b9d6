import { EJSON } from 'bson';
import {
  Binary,
  BSONType,
  Decimal128,
  Double,
  Int32,
  Long,
  ObjectId,
  Timestamp,
  type ClientSession,
  type Document,
} from 'mongodb';
import { isDeepStrictEqual } from 'node:util';

/** What `$$matchesEntity` and `$$sessionLsid` look up. */
export interface Lookup {
  get: (name: string) => unknown;
}

export class Mismatch extends Error {}

/** The driver keeps orders in a Map, whose numbers stay in their places. */
const unmapped = (value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value;

/** Throws when `actual` does not match `expected` by the rules of the unified test format. */
export function assertMatches(expected: unknown, found: unknown, lookup: Lookup, path = 'result', root = true): void {
  const actual = unmapped(found);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) throw mismatch(path, expected, actual);
    if (actual.length !== expected.length) throw mismatch(`${path}.length`, expected, actual);
    for (const [i, item] of expected.entries()) assertMatches(item, actual[i], lookup, `${path}[${i}]`, root);
    return;
  }
  if (isPlain(expected)) return assertDocument(expected, actual, lookup, path, root);
  if (!sameValue(expected, actual)) throw mismatch(path, expected, actual);
}

function assertDocument(expected: Document, actual: unknown, lookup: Lookup, path: string, root: boolean): void {
  const [first] = Object.keys(expected);
  if (first?.startsWith('$$') && Object.keys(expected).length === 1) {
    return assertOperator(first, expected[first], actual, lookup, path, root);
  }
  if (!isPlain(actual)) throw mismatch(path, expected, actual);
  for (const name of Object.keys(expected)) {
    const wanted: unknown = expected[name];
    const value: unknown = actual[name];
    const at = `${path}.${name}`;
    const exists = isPlain(wanted) ? (wanted.$$exists as boolean | undefined) : undefined;
    if (exists !== undefined) {
      if ((value !== undefined) !== exists) throw mismatch(at, wanted, value);
      continue;
    }
    if (isPlain(wanted) && '$$unsetOrMatches' in wanted && value === undefined) continue;
    if (value === undefined && !(isPlain(wanted) && '$$unsetOrMatches' in wanted)) throw mismatch(at, wanted, value);
    assertMatches(wanted, value, lookup, at, false);
  }
  if (root) return;
  const extra = Object.keys(actual).find((name) => !(name in expected) && actual[name] !== undefined);
  if (extra) throw mismatch(`${path}.${extra}`, undefined, actual[extra]);
}

function assertOperator(
  operator: string,
  operand: unknown,
  actual: unknown,
  lookup: Lookup,
  path: string,
  root: boolean,
): void {
  switch (operator) {
    case '$$unsetOrMatches':
      // Drivers of dynamic languages say null where there is nothing.
      if (actual !== undefined && !(actual === null && operand !== null))
        assertMatches(operand, actual, lookup, path, root);
      return;
    case '$$exists':
      if ((actual !== undefined) !== operand) throw mismatch(path, { [operator]: operand }, actual);
      return;
    case '$$type':
      if (![operand].flat().some((type) => hasType(type as string, actual)))
        throw mismatch(path, { [operator]: operand }, actual);
      return;
    case '$$matchesEntity':
      return assertMatches(lookup.get(operand as string), actual, lookup, path, root);
    case '$$matchesHexBytes':
      if (!Buffer.isBuffer(actual) || actual.toString('hex') !== operand)
        throw mismatch(path, { [operator]: operand }, actual);
      return;
    case '$$sessionLsid':
      return assertMatches(
        (lookup.get(operand as string) as ClientSession).id as Document,
        actual,
        lookup,
        path,
        false,
      );
    case '$$lte':
      if (!(Number(actual) <= Number(operand))) throw mismatch(path, { [operator]: operand }, actual);
      return;
    case '$$matchAsDocument':
      return assertMatches(operand, EJSON.parse(actual as string), lookup, path, root);
    case '$$matchAsRoot':
      return assertMatches(operand, actual, lookup, path, true);
    default:
      throw new Mismatch(`the runner does not know ${operator}`);
  }
}

/** Numbers compare by value whatever their width, as the format allows. */
function sameValue(expected: unknown, actual: unknown): boolean {
  const [a, b] = [plainNumber(expected), plainNumber(actual)];
  if (typeof a === 'number' && typeof b === 'number') return Object.is(a, b) || a === b;
  if (expected instanceof Binary && actual instanceof Binary)
    return expected.sub_type === actual.sub_type && expected.toString('hex') === actual.toString('hex');
  if (expected instanceof ObjectId && actual instanceof ObjectId) return expected.equals(actual);
  return isDeepStrictEqual(expected, actual);
}

function plainNumber(value: unknown): unknown {
  if (typeof value === 'bigint' || value instanceof Long || value instanceof Int32 || value instanceof Double)
    return Number(value);
  return value;
}

const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('_bsontype' in value) &&
  !(value instanceof Date) &&
  !Buffer.isBuffer(value) &&
  !(value instanceof RegExp);

function hasType(type: string, value: unknown): boolean {
  const number = plainNumber(value);
  switch (type) {
    case 'int':
    case 'long':
      return typeof number === 'number' && Number.isInteger(number);
    case 'double':
    case 'number':
      return typeof number === 'number';
    case 'decimal':
      return value instanceof Decimal128;
    case 'string':
      return typeof value === 'string';
    case 'object':
      return isPlain(value);
    case 'array':
      return Array.isArray(value);
    case 'bool':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'date':
      return value instanceof Date;
    case 'binData':
      return value instanceof Binary || Buffer.isBuffer(value);
    case 'objectId':
      return value instanceof ObjectId;
    case 'timestamp':
      return value instanceof Timestamp;
    default:
      throw new Mismatch(`the runner does not know type ${type} (${Object.keys(BSONType).join(', ')})`);
  }
}

const mismatch = (path: string, expected: unknown, actual: unknown): Mismatch =>
  new Mismatch(`${path}: expected ${show(expected)}, got ${show(actual)}`);

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = EJSON.stringify(value as Document);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
