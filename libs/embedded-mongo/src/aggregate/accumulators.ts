import { add, isNumber } from '../bson/arithmetic';
import { compareValues } from '../bson/compare';
import { type Doc, type Value } from '../bson/value';
import { compileExpression, type Variables } from './compile-expression';

/** The state of one accumulator in one group. */
export interface Accumulator {
  add(doc: Doc, variables?: Variables): void;
  result(): Value | undefined;
}

export type CompileAccumulator = (operand: Value, name: string) => () => Accumulator;

const overValues =
  (start: () => { take(value: Value | undefined): void; result(): Value | undefined }): CompileAccumulator =>
  (operand) => {
    const expression = compileExpression(operand);
    return () => {
      const state = start();
      return { add: (doc, variables) => state.take(expression(doc, variables)), result: () => state.result() };
    };
  };

const sum = overValues(() => {
  let total: Value = 0;
  return {
    take: (value) => {
      if (value !== undefined && isNumber(value)) total = add(total, value);
    },
    result: () => total,
  };
});

const extreme = (direction: number): CompileAccumulator =>
  overValues(() => {
    let best: Value | undefined;
    return {
      take: (value) => {
        if (value == null) return;
        if (best === undefined || Math.sign(compareValues(value, best)) === direction) best = value;
      },
      result: () => best,
    };
  });

export const accumulators: Record<string, CompileAccumulator> = {
  $sum: sum,
  $min: extreme(-1),
  $max: extreme(1),
};
