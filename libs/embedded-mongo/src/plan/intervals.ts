import { isNaNValue } from '../bson/compare';
import { isDoc, typeOrder, TypeOrder, type Value } from '../bson/value';
import { valueKey } from '../bson/value-key';
import { literalPrefix, isRegex } from '../query/regex';
import { afterPrefix } from '../storage/keys';
import { type Condition } from './conditions';

/** Encoded ascending values from `low` up to, not including, `high`. */
export interface Interval {
  low: Buffer;
  high: Buffer;
}

/** The values that one condition, or several together, leave possible. */
export interface Bounds {
  intervals: Interval[];
  /** Every interval is one value. */
  points: boolean;
  /** A value within is a match: the condition need not be looked at again. */
  exact: boolean;
  /** A document without the field cannot match: so a sparse index has every match. */
  excludesMissing: boolean;
}

/** One value. Of most only `low` is asked: fields that follow it in the index have the range. */
class Point implements Interval {
  readonly low: Buffer;

  constructor(value: Value | undefined) {
    this.low = valueKey(value);
  }

  get high(): Buffer {
    return afterPrefix(this.low);
  }
}

const point = (value: Value | undefined): Interval => new Point(value);

const typeStart = (type: number): Buffer => Buffer.from([type]);
const typeEnd = (type: number): Buffer => Buffer.from([type + 1]);
/** Bracketed comparisons never find NaN, which sorts below every other number. */
const lowest = (type: number): Buffer => (type === TypeOrder.number ? valueKey(-Infinity) : typeStart(type));

/** The bounds of one condition, undefined when an index cannot narrow it. */
export function boundsOf({ operator, operand, options }: Condition): Bounds | undefined {
  switch (operator) {
    case '$eq':
      return equalBounds(operand);
    case '$in':
      return inBounds(operand);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return orderBounds(operator, operand);
    case '$regex':
      return regexBounds(String(operand), options ?? '');
    case '$exists':
      return existsBounds(operand);
    default:
      return undefined;
  }
}

function equalBounds(value: Value): Bounds {
  if (value === null) return { intervals: [point(null)], points: true, exact: false, excludesMissing: false };
  if (Array.isArray(value)) {
    // An array equals as a whole or as an element, but is indexed by its elements.
    const intervals = sorted([point(value), point(value.length > 0 ? value[0] : undefined)]);
    return { intervals, points: true, exact: false, excludesMissing: true };
  }
  return { intervals: [point(value)], points: true, exact: true, excludesMissing: true };
}

function inBounds(values: Value): Bounds | undefined {
  if (!Array.isArray(values)) return undefined;
  const each = values.map((value) => (isRegex(value) ? regexBounds(value.pattern, value.options) : equalBounds(value)));
  if (each.some((bounds) => bounds === undefined)) return undefined;
  const all = each as Bounds[];
  return {
    intervals: sorted(all.flatMap(({ intervals }) => intervals)),
    points: all.every(({ points }) => points),
    exact: all.every(({ exact }) => exact),
    excludesMissing: all.every(({ excludesMissing }) => excludesMissing),
  };
}

function orderBounds(operator: string, value: Value): Bounds | undefined {
  const type = typeOrder(value);
  if (value === null) return operator.endsWith('e') ? equalBounds(null) : none;
  if (Array.isArray(value) || type === TypeOrder.minKey || type === TypeOrder.maxKey) return undefined;
  if (isNaNValue(value)) return operator.endsWith('e') ? { ...equalBounds(value), exact: false } : none;
  const { low, high } = point(value);
  const interval = {
    $gt: { low: high, high: typeEnd(type) },
    $gte: { low, high: typeEnd(type) },
    $lt: { low: lowest(type), high: low },
    $lte: { low: lowest(type), high },
  }[operator]!;
  return { intervals: [interval], points: false, exact: !isDoc(value), excludesMissing: true };
}

const none: Bounds = { intervals: [], points: true, exact: true, excludesMissing: true };

function regexBounds(pattern: string, options: string): Bounds | undefined {
  const prefix = literalPrefix(pattern, options);
  if (prefix === '') return undefined;
  const low = valueKey(prefix).subarray(0, -2); // without the end mark, so longer strings follow
  const regexes = { low: typeStart(TypeOrder.regex), high: typeEnd(TypeOrder.regex) };
  return { intervals: [{ low, high: afterPrefix(low) }, regexes], points: false, exact: false, excludesMissing: true };
}

function existsBounds(operand: Value): Bounds {
  const exists = operand !== false && operand !== null && operand !== 0;
  // Below an empty array there is nothing, which is indexed as undefined.
  const nothing = [point(undefined), point(null)];
  if (!exists) return { intervals: nothing, points: true, exact: false, excludesMissing: false };
  const all = { low: Buffer.from([TypeOrder.minKey]), high: Buffer.from([0xff]) };
  return { intervals: [all], points: false, exact: false, excludesMissing: true };
}

function sorted(intervals: Interval[]): Interval[] {
  const ordered = intervals.toSorted((a, b) => Buffer.compare(a.low, b.low));
  return ordered.filter((interval, i) => i === 0 || !interval.low.equals(ordered[i - 1]!.low));
}

/** What lies in both. */
export function intersect(a: Bounds, b: Bounds): Bounds {
  const intervals: Interval[] = [];
  for (const x of a.intervals) {
    for (const y of b.intervals) {
      const low = Buffer.compare(x.low, y.low) >= 0 ? x.low : y.low;
      const high = Buffer.compare(x.high, y.high) <= 0 ? x.high : y.high;
      if (Buffer.compare(low, high) < 0) intervals.push({ low, high });
    }
  }
  return {
    intervals: sorted(intervals),
    points: a.points || b.points,
    exact: a.exact && b.exact,
    excludesMissing: a.excludesMissing || b.excludesMissing,
  };
}

/** The same values in a descending field, whose encoded bytes are inverted. */
export function descending(intervals: Interval[]): Interval[] {
  return intervals
    .map(({ low, high }) => ({ low: afterPrefix(inverted(high)), high: afterPrefix(inverted(low)) }))
    .reverse();
}

const inverted = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xff));
