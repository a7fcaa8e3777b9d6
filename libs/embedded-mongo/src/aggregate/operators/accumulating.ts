import { CommandError } from '../../command-error';
import { compareValues } from '../../bson/compare';
import { typeName } from '../../bson/type-name';
import { isNil, type Value } from '../../bson/value';
import { average, deviation, extreme, sum, type Accumulation } from '../accumulate';
import { integer } from './array';
import { type CompileOperator } from '../expression';
import { fixed, named, variadic } from './operand';

/** Of one argument that is an array, its items; of several arguments, themselves. */
const over = (start: () => Accumulation): CompileOperator =>
  variadic((values) => {
    const state = start();
    for (const value of values.length === 1 && Array.isArray(values[0]) ? values[0] : values) state.take(value);
    return state.result();
  });

const end = (position: 0 | -1): CompileOperator =>
  fixed(1, ([array], name) => {
    if (isNil(array)) return null;
    if (!Array.isArray(array))
      throw new CommandError('Location28689', `${name}'s argument must be an array, but is ${typeName(array)}`);
    return array.at(position);
  });

const several = (choose: (items: Value[], n: number) => Value[]): CompileOperator => {
  return (operand, name, compile) => {
    const spec = named(operand, name, ['input', 'n'], ['input', 'n'], compile);
    return (doc, variables) => {
      const n = integer(spec.value('n', doc, variables), `${name}: n`, 'Location5787902');
      if (n <= 0) throw new CommandError('Location5787908', `'n' must be greater than 0, found ${n}`);
      const input = spec.value('input', doc, variables);
      if (!Array.isArray(input)) throw new CommandError('Location5788200', 'Input must be an array');
      return choose(input, n);
    };
  };
};

export const accumulatingOperators: Record<string, CompileOperator> = {
  $sum: over(sum),
  $avg: over(average),
  $min: over(extreme(-1)),
  $max: over(extreme(1)),
  $stdDevPop: over(deviation(false)),
  $stdDevSamp: over(deviation(true)),
  $first: end(0),
  $last: end(-1),
  $firstN: several((items, n) => items.slice(0, n)),
  $lastN: several((items, n) => items.slice(-n)),
  $minN: several((items, n) =>
    items
      .filter((item) => item !== null)
      .sort(compareValues)
      .slice(0, n),
  ),
  $maxN: several((items, n) =>
    items
      .filter((item) => item !== null)
      .sort((a, b) => compareValues(b, a))
      .slice(0, n),
  ),
};
