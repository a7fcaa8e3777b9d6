import { add, divide, double, isNumber, toDouble } from '../bson/arithmetic';
import { compareValues } from '../bson/compare';
import { isNil, type Value } from '../bson/value';

/** Takes values one at a time; what the accumulators of $group and the array forms of the same operators share. */
export interface Accumulation {
  take: (value: Value | undefined) => void;
  result: () => Value | undefined;
}

/** `$sum`: what is not a number counts nothing. */
export function sum(): Accumulation {
  let total: Value = 0;
  return {
    take: (value) => {
      if (isNumber(value)) total = add(total, value!);
    },
    result: () => total,
  };
}

/** `$avg`: null without a number. */
export function average(): Accumulation {
  let total: Value = 0;
  let count = 0;
  return {
    take: (value) => {
      if (!isNumber(value)) return;
      total = add(total, value!);
      count++;
    },
    result: () => (count === 0 ? null : divide(total, count)),
  };
}

/** The least (-1) or greatest (1) value that is not null. */
export const extreme = (direction: number) => (): Accumulation => {
  let best: Value | undefined;
  return {
    take: (value) => {
      if (isNil(value)) return;
      if (best === undefined || Math.sign(compareValues(value, best)) === direction) best = value;
    },
    result: () => best ?? null,
  };
};

/** Welford's way, which stays exact where sums of squares do not. */
export const deviation = (sample: boolean) => (): Accumulation => {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    take: (value) => {
      if (!isNumber(value)) return;
      const number = toDouble(value!);
      const delta = number - mean;
      mean += delta / ++count;
      squares += delta * (number - mean);
    },
    result: () => {
      const divisor = sample ? count - 1 : count;
      return divisor <= 0 ? null : double(Math.sqrt(squares / divisor));
    },
  };
};
