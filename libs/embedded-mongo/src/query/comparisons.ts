import { type BSONRegExp } from 'bson';
import { activeCollation } from '../bson/collation';
import { CommandError } from '../command-error';
import { compareValues, isNaNValue } from '../bson/compare';
import { bsonClass, isDoc, typeOrder, TypeOrder, type Value } from '../bson/value';
import { groupKey } from '../bson/value-key';
import { type ValueTest } from './path';
import { isReference } from './reference';
import { compileRegex, isRegex } from './regex';

/** `$eq` of one value; null also meets what is missing. */
export function equalTest(operand: Value): ValueTest {
  if (operand === null) return (value) => value === null || value === undefined;
  if (typeof operand === 'string' && !activeCollation())
    return (value) => value === operand || isSymbol(value, operand);
  return (value) => value !== undefined && compareValues(value, operand) === 0;
}

const isSymbol = (value: Value | undefined, text: string): boolean =>
  typeof value === 'object' && value !== null && bsonClass(value) === 'BSONSymbol' && compareValues(value, text) === 0;

/** Texts that a regular expression matches, and the same regular expression as a value. */
export function regexTest(regex: BSONRegExp): ValueTest {
  const compiled = compileRegex(regex.pattern, regex.options);
  return (value) => {
    if (typeof value === 'string') return compiled.test(value);
    if (isRegex(value)) return compareValues(value, regex) === 0;
    return false;
  };
}

/** `$in`, with values and regular expressions. */
export function inTest(operand: Value): ValueTest {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', '$in needs an array');
  const tests = operand.filter(isRegex).map(regexTest);
  for (const item of operand) {
    if (isDoc(item) && Object.keys(item)[0]?.startsWith('$') && !isReference(Object.keys(item)[0]!))
      throw new CommandError('BadValue', 'cannot nest $ under $in');
  }
  const values = operand.filter((item) => !isRegex(item));
  if (values.length <= 8) tests.push(...values.map(equalTest));
  else tests.push(oneOf(values));
  return (value) => tests.some((test) => test(value));
}

/** The keys are made when the first value is looked at: where the bounds of an index decide, none is. */
function oneOf(values: Value[]): ValueTest {
  let keys: Set<string> | undefined;
  const hasNull = values.includes(null);
  return (value) => {
    if (value === undefined) return hasNull;
    keys ??= new Set(values.map((each) => groupKey(each)));
    return keys.has(groupKey(value));
  };
}

type Order = (order: number) => boolean;

const orders: Record<string, Order> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

/** Only values of the operand's own type compare (type bracketing), except with MinKey and MaxKey. */
export function orderTest(operator: string, operand: Value): ValueTest {
  const passes = orders[operator]!;
  const orEqual = passes(0);
  const type = typeOrder(operand);
  if (operand === null) return (value) => orEqual && (value === null || value === undefined);
  if (type === TypeOrder.minKey || type === TypeOrder.maxKey) {
    return (value) => passes(compareValues(value ?? null, operand));
  }
  if (isNaNValue(operand)) return (value) => orEqual && value != null && isNaNValue(value);
  return (value) => {
    if (value === undefined || typeOrder(value) !== type) return false;
    return passes(compareValues(value, operand)) && !isNaNValue(value);
  };
}
