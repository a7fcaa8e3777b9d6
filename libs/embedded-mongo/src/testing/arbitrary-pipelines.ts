import fc from 'fast-check';
import { type Doc, type Value } from '../bson/value';

/** Documents of one shape, of which any field may be missing: what expressions and groups are asked about. */
export const records: fc.Arbitrary<Doc> = fc
  .record(
    {
      n: fc.integer({ min: -3, max: 9 }),
      m: fc.integer({ min: 0, max: 3 }),
      s: fc.constantFrom('a', 'b', 'Ab', 'c d'),
      list: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
      inner: fc.record({ x: fc.integer({ min: 0, max: 3 }), y: fc.constantFrom('p', 'q') }, { noNullPrototype: true }),
      flag: fc.boolean(),
    },
    { noNullPrototype: true, requiredKeys: ['n', 's', 'list', 'inner'] },
  )
  .map((doc): Doc => doc);

const op = (name: string, ...operands: fc.Arbitrary<Value>[]): fc.Arbitrary<Value> =>
  fc.tuple(...operands).map((values): Value => ({ [name]: values.length === 1 ? values[0]! : values }));

const typed = fc.letrec<Record<'number' | 'text' | 'bool' | 'list', Value>>((tie) => ({
  number: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Value>('$n', '$inner.x', 0, 1, 2, 7),
    ...['$add', '$subtract', '$multiply', '$max', '$min', '$cmp'].map((name) => op(name, tie('number'), tie('number'))),
    op('$abs', tie('number')),
    op('$size', tie('list')),
    op('$sum', tie('list')),
    op('$strLenCP', tie('text')),
    op('$cond', tie('bool'), tie('number'), tie('number')),
    op('$ifNull', fc.constant('$m'), tie('number')),
    fc.tuple(tie('list'), tie('number')).map(([input, initialValue]): Value => ({ $reduce: { input, initialValue, in: { $add: ['$$value', '$$this'] } } })),
  ),
  text: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom<Value>('$s', '$inner.y', 'lit'),
    op('$concat', tie('text'), tie('text')),
    op('$toUpper', tie('text')),
    op('$toLower', tie('text')),
    op('$substrCP', tie('text'), fc.constantFrom(0, 1), fc.constantFrom(1, 2)),
    op('$type', tie('number')),
  ),
  bool: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom<Value>('$flag', true, false),
    ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'].map((name) => op(name, tie('number'), tie('number'))),
    op('$and', tie('bool'), tie('bool')),
    op('$or', tie('bool'), tie('bool')),
    tie('bool').map((value): Value => ({ $not: [value] })),
    op('$in', tie('number'), tie('list')),
  ),
  list: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom<Value>('$list', { $literal: [1, 2, 3] }),
    op('$concatArrays', tie('list'), tie('list')),
    op('$reverseArray', tie('list')),
    op('$slice', tie('list'), fc.constantFrom(1, 2, -2)),
    fc.tuple(tie('list'), fc.constantFrom<Value>({ $gt: ['$$this', 1] }, { $eq: ['$$this', '$n'] })).map(([input, cond]): Value => ({ $filter: { input, cond } })),
    fc.tuple(tie('list'), fc.constantFrom<Value>({ $add: ['$$this', 1] }, { $multiply: ['$$this', '$n'] })).map(([input, body]): Value => ({ $map: { input, in: body } })),
  ),
})); // prettier-ignore

const expressions: fc.Arbitrary<Value> = fc.oneof(typed.number, typed.text, typed.bool, typed.list);

/** A bare number or truth value would keep or drop the field. */
const computed = (value: Value): Value =>
  typeof value === 'number' || typeof value === 'boolean' ? { $literal: value } : value;

const sums = fc.constantFrom('$sum', '$avg', '$min', '$max', '$first', '$last', '$push');

const stages: fc.Arbitrary<Doc> = fc.oneof(
  fc.constantFrom<Doc>({ $match: { n: { $gt: 1 } } }, { $match: { s: { $in: ['a', 'b'] }, 'inner.x': { $lt: 3 } } }, { $match: { list: 2 } }),
  expressions.map((value): Doc => ({ $set: { x: value } })),
  fc.tuple(fc.constantFrom('n', 'inner.z'), typed.number).map(([name, value]): Doc => ({ $set: { [name]: value } })),
  fc.tuple(expressions, expressions).map(([p, q]): Doc => ({ $project: { p: computed(p), q: computed(q), n: 1, s: 1, list: 1, inner: 1 } })),
  fc.constantFrom<Doc>({ $project: { flag: 0 } }, { $unset: ['m'] }, { $sort: { n: 1, _id: 1 } }, { $sort: { s: -1, _id: -1 } }),
  fc.constantFrom<Doc>({ $limit: 3 }, { $skip: 1 }),
); // prettier-ignore

const last: fc.Arbitrary<Doc> = fc.oneof(
  fc.tuple(fc.oneof(typed.text, typed.bool), sums, typed.number).map(([_id, sum, value]): Doc => ({ $group: { _id, total: { [sum]: value } } })),
  fc.constantFrom<Doc>({ $count: 'n' }, { $sortByCount: '$s' }, { $unwind: '$list' }, { $replaceRoot: { newRoot: '$inner' } }, { $match: {} }),
); // prettier-ignore

/** A few stages that keep the shape, and one that may not. */
export const pipelines: fc.Arbitrary<Doc[]> = fc
  .tuple(fc.array(stages, { maxLength: 3 }), last)
  .map(([several, one]) => [...several, one]);
