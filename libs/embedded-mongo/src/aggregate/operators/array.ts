import { CommandError } from '../../command-error';
import { type ErrorName } from '../../error-codes';
import { isNumber, toDouble } from '../../bson/arithmetic';
import { compareValues, valuesEqual } from '../../bson/compare';
import { typeName } from '../../bson/type-name';
import { isDoc, isNil, type Value } from '../../bson/value';
import { compileSort } from '../../query/sort';
import { type Variables, type CompileOperator } from '../expression';
import { fixed, named, variadic } from './operand';
import { truthy } from '../truthy';

function items(value: Value, name: string, code: ErrorName = 'Location28689'): Value[] {
  if (Array.isArray(value)) return value;
  throw new CommandError(code, `${name}'s argument must be an array, but is ${typeName(value)}`);
}

/** A whole number of 32 bits; throws `code` for anything else. */
export function integer(value: Value | undefined, what: string, code: ErrorName = 'Location28690'): number {
  const number = value !== undefined && isNumber(value) ? toDouble(value) : NaN;
  if (!Number.isInteger(number))
    throw new CommandError(code, `${what} must be representable as a 32-bit integer, but is ${typeName(value)}`);
  return number;
}

const elementAt = fixed(2, ([array, index], name) => {
  if (isNil(array) || isNil(index)) return null;
  const list = items(array, name);
  const position = integer(index, "$arrayElemAt's second argument");
  return list.at(position);
});

/** `$map`, `$filter`: a body evaluated for every item under a name. */
const filter: CompileOperator = (operand, name, compile) => {
  const spec = named(operand, name, ['input', 'as', 'cond', 'limit'], ['input', 'cond'], compile);
  const variable = spec.text('as', 'this');
  const condition = spec.expression('cond');
  return (doc, variables) => {
    const input = spec.value('input', doc, variables);
    if (isNil(input)) return null;
    const most = spec.has('limit')
      ? integer(spec.value('limit', doc, variables), '$filter: limit', 'Location327391')
      : Infinity;
    const kept: Value[] = [];
    for (const item of items(input, name, 'Location28651')) {
      if (truthy(condition(doc, { ...variables, [variable]: item })) && kept.push(item) >= most) break;
    }
    return kept;
  };
};

const map: CompileOperator = (operand, name, compile) => {
  const spec = named(operand, name, ['input', 'as', 'in'], ['input', 'in'], compile);
  const variable = spec.text('as', 'this');
  const body = spec.expression('in');
  return (doc, variables) => {
    const input = spec.value('input', doc, variables);
    if (isNil(input)) return null;
    return items(input, name, 'Location16883').map((item) => body(doc, { ...variables, [variable]: item }) ?? null);
  };
};

const reduce: CompileOperator = (operand, name, compile) => {
  const spec = named(operand, name, ['input', 'initialValue', 'in'], ['input', 'initialValue', 'in'], compile);
  const body = spec.expression('in');
  return (doc, variables) => {
    const input = spec.value('input', doc, variables);
    if (isNil(input)) return null;
    const initial = spec.value('initialValue', doc, variables);
    const step = (value: Value | undefined, item: Value): Value | undefined =>
      body(doc, { ...variables, value, this: item } as Variables);
    return items(input, name, 'Location40080').reduce(step, initial);
  };
};

const slice = fixed(
  2,
  ([array, first, count], name) => {
    if (isNil(array) || isNil(first) || count === null) return null;
    const list = items(array, name, 'Location28724');
    const start = integer(first, 'Second argument to $slice', 'Location28725');
    if (count === undefined) return start >= 0 ? list.slice(0, start) : list.slice(start);
    const length = integer(count, 'Third argument to $slice', 'Location28727');
    if (length <= 0) throw new CommandError('Location28729', 'Third argument to $slice must be positive');
    const from = start < 0 ? Math.max(0, list.length + start) : start;
    return list.slice(from, from + length);
  },
  3,
);

const range = fixed(
  2,
  ([from, to, by = 1], _name) => {
    const [start, end, step] = [
      integer(from, '$range start', 'Location34443'),
      integer(to, '$range end', 'Location34445'),
      integer(by, '$range step', 'Location34447'),
    ];
    if (step === 0) throw new CommandError('Location34449', '$range requires a non-zero step value');
    const result: Value[] = [];
    for (let i = start; step > 0 ? i < end : i > end; i += step) result.push(i);
    return result;
  },
  3,
);

const indexOfArray = fixed(
  2,
  ([array, wanted, from = 0, to], name) => {
    if (isNil(array)) return null;
    const list = items(array, name, 'Location40090');
    const end =
      to === undefined ? list.length : Math.min(list.length, integer(to, '$indexOfArray end', 'Location40096'));
    for (let i = integer(from, '$indexOfArray start', 'Location40096'); i < end; i++)
      if (valuesEqual(list[i], wanted)) return i;
    return -1;
  },
  4,
);

const sortArray: CompileOperator = (operand, name, compile) => {
  const spec = named(operand, name, ['input', 'sortBy'], ['input', 'sortBy'], compile);
  const { sortBy } = operand as { sortBy: Value };
  return (doc, variables) => {
    const input = spec.value('input', doc, variables);
    if (isNil(input)) return null;
    const list = items(input, name, 'Location2942504');
    if (!isDoc(sortBy)) return list.toSorted((a, b) => toDouble(sortBy) * compareValues(a, b));
    const keyOf = compileSort(sortBy);
    const keyed = list.map((item) => ({ item, key: keyOf(isDoc(item) ? item : {}) }));
    return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ item }) => item);
  };
};

const zip: CompileOperator = (operand, name, compile) => {
  const spec = named(operand, name, ['inputs', 'useLongestLength', 'defaults'], ['inputs'], compile);
  const longest = (operand as { useLongestLength?: Value }).useLongestLength === true;
  return (doc, variables) => {
    const inputs = spec.value('inputs', doc, variables);
    if (isNil(inputs)) return null;
    const lists = items(inputs, name, 'Location34461');
    if (lists.some(isNil)) return null;
    const arrays = lists.map((list) => items(list, name, 'Location34468'));
    const defaults = spec.value('defaults', doc, variables);
    const lengths = arrays.map((list) => list.length);
    const length = arrays.length === 0 ? 0 : longest ? Math.max(...lengths) : Math.min(...lengths);
    return Array.from({ length }, (_unused, row) =>
      arrays.map((list, column) => list[row] ?? (Array.isArray(defaults) ? (defaults[column] ?? null) : null)),
    );
  };
};

export const arrayOperators: Record<string, CompileOperator> = {
  $arrayElemAt: elementAt,
  $filter: filter,
  $map: map,
  $reduce: reduce,
  $slice: slice,
  $range: range,
  $indexOfArray: indexOfArray,
  $sortArray: sortArray,
  $zip: zip,
  $isArray: fixed(1, ([value]) => Array.isArray(value)),
  $size: fixed(1, ([value]) => {
    if (Array.isArray(value)) return value.length;
    throw new CommandError(
      'Location17124',
      `The argument to $size must be an array, but was of type: ${typeName(value)}`,
    );
  }),
  $in: fixed(2, ([wanted, array]) => {
    if (!Array.isArray(array))
      throw new CommandError('Location40081', `$in requires an array as a second argument, found: ${typeName(array)}`);
    return array.some((item) => valuesEqual(item, wanted));
  }),
  $concatArrays: variadic((arrays, name) =>
    arrays.some(isNil) ? null : arrays.flatMap((array) => items(array!, name, 'Location28664')),
  ),
  $reverseArray: fixed(1, ([array], name) => (isNil(array) ? null : items(array, name, 'Location34435').toReversed())),
};
