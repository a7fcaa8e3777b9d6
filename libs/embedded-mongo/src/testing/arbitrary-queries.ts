import fc from 'fast-check';
import { type Doc, type Value } from '../bson/value';

/** Values that every implementation knows: JSON and dates, few enough to meet often. */
const scalars: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(0, 1, 2, 3, -1, 0.5),
  fc.constantFrom<Value>('a', 'b', 'ab', ''),
  fc.constantFrom<Value>(true, false, null),
  fc.constantFrom(0, 1).map((ms): Value => new Date(ms)),
);

const record = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(fields, { noNullPrototype: true });

const names = fc.constantFrom('a', 'b', 'c');

const plainValues: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { weight: 5, arbitrary: scalars },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 2, arbitrary: fc.dictionary(names, tie('value'), { maxKeys: 2, noNullPrototype: true }) },
  ),
})).value;

export const plainDocuments: fc.Arbitrary<Doc> = fc.dictionary(names, plainValues, {
  maxKeys: 3,
  noNullPrototype: true,
});

const paths = fc.constantFrom('a', 'b', 'a.b', 'a.c', 'b.a', 'a.0', 'a.1.b', 'a.b.c', 'c');

const comparisons: fc.Arbitrary<Value> = fc.oneof(
  record({ $eq: plainValues }),
  record({ $ne: plainValues }),
  ...['$gt', '$gte', '$lt', '$lte'].map((name) => scalars.map((value): Value => ({ [name]: value }))),
  fc.tuple(fc.integer({ min: -1, max: 1 }), fc.integer({ min: 0, max: 3 })).map(([low, high]): Value => ({ $gte: low, $lt: high })),
  record({ $in: fc.array(plainValues, { maxLength: 3 }) }),
  record({ $nin: fc.array(plainValues, { maxLength: 3 }) }),
  record({ $exists: fc.boolean() }),
  record({ $size: fc.integer({ min: 0, max: 2 }) }),
  record({ $all: fc.array(scalars, { minLength: 1, maxLength: 2 }) }),
  record({ $mod: fc.constantFrom<Value>([2, 0], [2, 1]) }),
  record({ $type: fc.constantFrom('number', 'string', 'bool', 'null', 'object', 'array', 'date') }),
  record({ $elemMatch: fc.constantFrom<Value>({ $gt: 0 }, { $gte: 0, $lt: 2 }, { b: 1 }, { b: { $gt: 0 }, c: 1 }, { $eq: 'a' }) }),
); // prettier-ignore

const conditions: fc.Arbitrary<Value> = fc.oneof(
  { weight: 2, arbitrary: plainValues },
  { weight: 6, arbitrary: comparisons },
  { weight: 1, arbitrary: comparisons.map((value): Value => ({ $not: value })) },
);

export const filters: fc.Arbitrary<Doc> = fc.letrec<{ filter: Doc }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: fc.tuple(paths, conditions).map(([path, condition]): Doc => ({ [path]: condition })) },
    { weight: 2, arbitrary: fc.dictionary(paths, conditions, { minKeys: 1, maxKeys: 2, noNullPrototype: true }) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 2 })).map(([name, clauses]): Doc => ({ [name]: clauses })) },
  ),
})).filter; // prettier-ignore

const numbers = fc.constantFrom(-1, 0, 1, 2, 3);
const several = fc.array(plainValues, { maxLength: 3 });

const operations: fc.Arbitrary<[string, Value]> = fc.oneof(
  fc.tuple(fc.constantFrom('$set', '$min', '$max', '$push', '$addToSet'), plainValues),
  fc.tuple(fc.constantFrom('$inc', '$mul'), numbers),
  fc.tuple(fc.constant('$unset'), fc.constant('')),
  fc.tuple(fc.constant('$pop'), fc.constantFrom(1, -1)),
  fc.tuple(fc.constant('$pullAll'), several),
  fc.tuple(fc.constant('$pull'), fc.oneof(scalars, fc.constantFrom<Value>({ $gt: 0 }, { b: 1 }, { $in: [1, 'a'] }))),
  fc.tuple(fc.constant('$addToSet'), record({ $each: several })),
  fc.tuple(
    fc.constant('$push'),
    fc.record(
      { $each: several, $position: fc.constantFrom(0, 1), $slice: fc.constantFrom(-2, 0, 2), $sort: fc.constantFrom(1, -1) },
      { noNullPrototype: true, requiredKeys: ['$each'] },
    ),
  ),
) as fc.Arbitrary<[string, Value]>; // prettier-ignore

/** Updates of one to three paths by any operators. */
export const updates: fc.Arbitrary<Doc> = fc
  .array(fc.tuple(paths, operations), { minLength: 1, maxLength: 3 })
  .map((changes) => {
    const update: Record<string, Doc> = {};
    for (const [path, [operator, operand]] of changes) (update[operator] ??= {})[path] = operand;
    return update;
  });
