import { CommandError } from '../../command-error';
import { type ErrorName } from '../../error-codes';
import { compareValues } from '../../bson/compare';
import { typeName } from '../../bson/type-name';
import { isNil, type Value } from '../../bson/value';
import { groupKey } from '../../bson/value-key';
import { type CompileOperator } from '../expression';
import { fixed, variadic } from './operand';
import { truthy } from '../truthy';

const keyOf = (value: Value): string => groupKey(value);

/** Values without repeats, in order of value. */
const distinct = (values: Value[]): Value[] =>
  [...new Map(values.map((value) => [keyOf(value), value])).values()].sort(compareValues);

function list(value: Value | undefined, name: string, code: ErrorName): Value[] {
  if (Array.isArray(value)) return value;
  throw new CommandError(code, `All operands of ${name} must be arrays. One argument is of type: ${typeName(value)}`);
}

const keys = (values: Value[]): Set<string> => new Set(values.map(keyOf));

export const setOperators: Record<string, CompileOperator> = {
  $setUnion: variadic((sets, name) =>
    sets.some(isNil) ? null : distinct(sets.flatMap((set) => list(set, name, 'Location17043'))),
  ),
  $setIntersection: variadic((sets, name) => {
    if (sets.some(isNil)) return null;
    const [first = [], ...others] = sets.map((set) => list(set, name, 'Location17047'));
    const wanted = others.map(keys);
    return distinct(first.filter((value) => wanted.every((set) => set.has(keyOf(value)))));
  }),
  $setDifference: fixed(2, ([a, b], name) => {
    if (isNil(a) || isNil(b)) return null;
    const unwanted = keys(list(b, name, 'Location17049'));
    return [...new Map(list(a, name, 'Location17048').map((value) => [keyOf(value), value])).values()].filter(
      (value) => !unwanted.has(keyOf(value)),
    );
  }),
  $setEquals: variadic((sets, name) => {
    const [first, ...others] = sets.map((set) => keys(list(set, name, 'Location17044')));
    return others.every((set) => set.size === first!.size && [...set].every((key) => first!.has(key)));
  }),
  $setIsSubset: fixed(2, ([a, b], name) => {
    const whole = keys(list(b, name, 'Location17042'));
    return list(a, name, 'Location17046').every((value) => whole.has(keyOf(value)));
  }),
  $allElementsTrue: fixed(1, ([set], name) => list(set, name, 'Location17040').every(truthy)),
  $anyElementTrue: fixed(1, ([set], name) => list(set, name, 'Location17041').some(truthy)),
};
