import { CommandError } from '../command-error';
import { compareValues } from '../bson/compare';
import { isDoc, type Doc, type Value } from '../bson/value';
import { groupKey } from '../bson/value-key';
import { compileSort } from '../query/sort';
import { average, deviation, extreme, sum, type Accumulation } from './accumulate';
import { compileExpression } from './compile-expression';
import { type Expression, type Variables } from './expression';
import { integer } from './operators/array';
import { mergeDocs } from './operators/object';
import { named } from './operators/operand';

/** The state of one accumulator in one group. */
export interface Accumulator {
  add: (doc: Doc, variables?: Variables) => void;
  result: () => Value | undefined;
}

/** Checks an accumulator's operand once, and answers what makes a fresh one for each group. */
export type CompileAccumulator = (operand: Value, name: string) => () => Accumulator;

const accumulate = (expression: Expression, start: () => Accumulation) => (): Accumulator => {
  const state = start();
  return { add: (doc, variables) => state.take(expression(doc, variables)), result: () => state.result() };
};

const over =
  (start: () => Accumulation): CompileAccumulator =>
  (operand) =>
    accumulate(compileExpression(operand), start);

function first(): Accumulation {
  let value: Value | undefined;
  let taken = false;
  return {
    take: (next) => {
      if (!taken) value = next;
      taken = true;
    },
    result: () => value ?? null,
  };
}

function last(): Accumulation {
  let value: Value | undefined;
  return { take: (next) => void (value = next), result: () => value ?? null };
}

function push(): Accumulation {
  const values: Value[] = [];
  return { take: (value) => void (value !== undefined && values.push(value)), result: () => values };
}

function addToSet(): Accumulation {
  const values = new Map<string, Value>();
  return {
    take: (value) => {
      if (value === undefined) return;
      const key = groupKey(value);
      if (!values.has(key)) values.set(key, value);
    },
    result: () => [...values.values()],
  };
}

function merge(): Accumulation {
  let merged: Doc = {};
  return { take: (value) => void (merged = mergeDocs([merged, value])), result: () => merged };
}

/** `$firstN` and the like: `{ input, n }`. */
const several =
  (choose: (values: Value[], n: number) => Value[], dropsNull: boolean): CompileAccumulator =>
  (operand, name) => {
    const spec = named(operand, name, ['input', 'n'], ['input', 'n'], compileExpression);
    const n = integer(compileExpression((operand as Doc).n!)({}), `${name}: n`, 'Location5787902');
    if (n <= 0) throw new CommandError('Location5787908', `'n' must be greater than 0, found ${n}`);
    return accumulate(spec.expression('input'), () => {
      const values: Value[] = [];
      return {
        take: (value) => void (!(dropsNull && value == null) && values.push(value ?? null)),
        result: () => choose(values, n),
      };
    });
  };

/** `$top`, `$bottom` and their N: `{ sortBy, output, n }`. */
const ranked =
  (fromEnd: boolean, many: boolean): CompileAccumulator =>
  (operand, name) => {
    const parts = many ? ['sortBy', 'output', 'n'] : ['sortBy', 'output'];
    const spec = named(operand, name, parts, parts, compileExpression);
    const { sortBy, n } = operand as Doc;
    if (!isDoc(sortBy)) throw new CommandError('Location5788604', `${name} requires 'sortBy' to be an object`);
    const keyOf = compileSort(sortBy);
    const output = spec.expression('output');
    const count = many ? integer(compileExpression(n!)({}), `${name}: n`, 'Location5787902') : 1;
    return () => {
      const found: { key: Buffer; value: Value }[] = [];
      return {
        add: (doc, variables) => void found.push({ key: keyOf(doc), value: output(doc, variables) ?? null }),
        result: () => {
          const ordered = found.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ value }) => value);
          if (!many) return fromEnd ? ordered.at(-1) : ordered[0];
          return fromEnd ? ordered.slice(-count) : ordered.slice(0, count);
        },
      };
    };
  };

export const accumulators: Record<string, CompileAccumulator> = {
  $sum: over(sum),
  $avg: over(average),
  $min: over(extreme(-1)),
  $max: over(extreme(1)),
  $stdDevPop: over(deviation(false)),
  $stdDevSamp: over(deviation(true)),
  $first: over(first),
  $last: over(last),
  $push: over(push),
  $addToSet: over(addToSet),
  $mergeObjects: over(merge),
  $count: () => accumulate(() => 1, sum),
  $firstN: several((values, n) => values.slice(0, n), false),
  $lastN: several((values, n) => values.slice(-n), false),
  $minN: several((values, n) => values.sort(compareValues).slice(0, n), true),
  $maxN: several((values, n) => values.sort((a, b) => compareValues(b, a)).slice(0, n), true),
  $top: ranked(false, false),
  $bottom: ranked(true, false),
  $topN: ranked(false, true),
  $bottomN: ranked(true, true),
};
