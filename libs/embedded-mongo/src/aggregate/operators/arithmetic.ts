import { Decimal128 } from 'bson';
import { CommandError } from '../../command-error';
import {
  add,
  divide,
  double,
  exactDecimal,
  isNumber,
  multiply,
  roundedQuotient,
  subtract,
  toDecimal128,
  toDouble,
} from '../../bson/arithmetic';
import { compareNumbers, isDecimal } from '../../bson/compare';
import { isInt32, typeName } from '../../bson/type-name';
import { isNil, type Value } from '../../bson/value';
import { type CompileOperator } from '../expression';
import { fixed, variadic } from './operand';

const notNumeric = (name: string, value: Value | undefined): CommandError =>
  new CommandError('TypeMismatch', `${name} only supports numeric types, not ${typeName(value)}`);

const addAll = variadic((values, name) => {
  let total: Value = 0;
  let date = false;
  for (const value of values) {
    if (isNil(value)) return null;
    if (value instanceof Date) {
      if (date) throw new CommandError('Location16612', 'only one date allowed in an $add expression');
      date = true;
      total = add(total, BigInt(value.getTime()));
    } else if (isNumber(value)) total = add(total, value);
    else throw new CommandError('TypeMismatch', `${name} only supports numeric or date types, not ${typeName(value)}`);
  }
  return date ? new Date(Math.round(toDouble(total))) : total;
});

const subtractTwo = fixed(2, ([a, b]) => {
  if (isNil(a) || isNil(b)) return null;
  if (a instanceof Date) {
    if (b instanceof Date) return BigInt(a.getTime() - b.getTime());
    if (isNumber(b)) return new Date(Math.round(a.getTime() - toDouble(b)));
  } else if (isNumber(a) && isNumber(b)) return subtract(a, b);
  throw new CommandError('TypeMismatch', `can't $subtract ${typeName(b)} from ${typeName(a)}`);
});

const multiplyAll = variadic((values, name) => {
  let product: Value = 1;
  for (const value of values) {
    if (isNil(value)) return null;
    if (!isNumber(value)) throw notNumeric(name, value);
    product = multiply(product, value);
  }
  return product;
});

/** Two numbers, or null when one of them is missing. */
const numeric = (compute: (a: Value, b: Value) => Value): CompileOperator =>
  fixed(2, ([a, b], name) => {
    if (isNil(a) || isNil(b)) return null;
    if (!isNumber(a) || !isNumber(b))
      throw new CommandError(
        'TypeMismatch',
        `${name} only supports numeric types, not ${typeName(a)} and ${typeName(b)}`,
      );
    return compute(a, b);
  });

const divideTwo = numeric((a, b) => {
  if (compareNumbers(b, 0) === 0) throw new CommandError('BadValue', "can't $divide by zero");
  return divide(a, b);
});

const modulo = numeric((a, b) => {
  if (compareNumbers(b, 0) === 0) throw new CommandError('Location16610', "can't $mod by zero");
  if (isDecimal(a) || isDecimal(b)) {
    const [x, y] = [exactDecimal(a), exactDecimal(b)];
    if (!x || !y) return Decimal128.fromString('NaN');
    const exponent = Math.min(x.exponent, y.exponent);
    const scale = (decimal: typeof x): bigint => decimal.coefficient * 10n ** BigInt(decimal.exponent - exponent);
    return toDecimal128({ coefficient: scale(x) % scale(y), exponent });
  }
  const long = typeof a === 'bigint' || typeof b === 'bigint';
  const whole = [a, b].every((value) => typeof value === 'bigint' || (typeof value === 'number' && isInt32(value)));
  if (long && whole) return BigInt(a as number) % BigInt(b as number);
  const result = toDouble(a) % toDouble(b);
  return whole ? result || 0 : double(result);
});

const power = numeric((a, b) => {
  const result = toDouble(a) ** toDouble(b);
  const whole = [a, b].every((value) => typeof value === 'bigint' || (typeof value === 'number' && isInt32(value)));
  if (!whole || !Number.isSafeInteger(result)) return isDecimal(a) || isDecimal(b) ? decimalOf(result) : double(result);
  return isInt32(result) && typeof a === 'number' && typeof b === 'number' ? result : BigInt(result);
});

const decimalOf = (value: number): Value => Decimal128.fromString(Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'); // prettier-ignore

/** A function of one number that is a double, or a decimal of a decimal. */
const real = (compute: (value: number) => number, domain?: (value: number) => boolean): CompileOperator =>
  fixed(1, ([value], name) => {
    if (isNil(value)) return null;
    if (!isNumber(value)) throw notNumeric(name, value);
    const number = toDouble(value);
    if (domain && !domain(number))
      throw new CommandError('Location28714', `${name}'s argument is out of range: ${number}`);
    return isDecimal(value) ? decimalOf(compute(number)) : double(compute(number));
  });

type Rounding = (quotient: bigint, remainder: bigint, divisor: bigint, negative: boolean) => bigint;

const halfToEven: Rounding = (quotient, remainder, divisor) => roundedQuotient(quotient * divisor + remainder, divisor);
const towardZero: Rounding = (quotient) => quotient;
const down: Rounding = (quotient, remainder, _divisor, negative) =>
  negative && remainder > 0n ? quotient + 1n : quotient;
const up: Rounding = (quotient, remainder, _divisor, negative) =>
  !negative && remainder > 0n ? quotient + 1n : quotient;

/** Rounds to `place` decimals and keeps the type. */
function roundTo(value: Value, place: number, rounding: Rounding): Value {
  if (typeof value === 'number' && isInt32(value) && place >= 0) return value;
  if (typeof value === 'bigint' && place >= 0) return value;
  const exact = exactOf(value);
  if (!exact) return value;
  const excess = -place - exact.exponent;
  if (excess <= 0) return value;
  const negative = exact.coefficient < 0n;
  const magnitude = negative ? -exact.coefficient : exact.coefficient;
  const divisor = 10n ** BigInt(excess);
  const rounded = rounding(magnitude / divisor, magnitude % divisor, divisor, negative);
  const decimal = { coefficient: negative ? -rounded : rounded, exponent: -place };
  if (isDecimal(value)) return toDecimal128(decimal);
  if (typeof value === 'bigint') return decimal.coefficient * 10n ** BigInt(Math.max(0, -place));
  const number = Number(`${decimal.coefficient}e${decimal.exponent}`);
  return typeof value === 'number' && isInt32(value) ? number : double(number);
}

/** A double counts with all the digits it is written with. */
function exactOf(value: Value): ReturnType<typeof exactDecimal> {
  if (isDecimal(value) || typeof value === 'bigint') return exactDecimal(value);
  const number = toDouble(value);
  return Number.isFinite(number) ? exactDecimal(Decimal128.fromString(String(number))) : undefined;
}

const rounding = (how: Rounding, places: boolean): CompileOperator =>
  fixed(
    1,
    ([value, place = 0], name) => {
      if (isNil(value) || place === null) return null;
      if (!isNumber(value))
        throw new CommandError('Location51081', `${name} only supports numeric types, not ${typeName(value)}`);
      return roundTo(value, toDouble(place), how);
    },
    places ? 2 : 1,
  );

const absolute = fixed(1, ([value], name) => {
  if (isNil(value)) return null;
  if (!isNumber(value)) throw notNumeric(name, value);
  return compareNumbers(value, 0) < 0 ? subtract(0, value) : value;
});

export const arithmeticOperators: Record<string, CompileOperator> = {
  $add: addAll,
  $subtract: subtractTwo,
  $multiply: multiplyAll,
  $divide: divideTwo,
  $mod: modulo,
  $pow: power,
  $abs: absolute,
  $round: rounding(halfToEven, true),
  $trunc: rounding(towardZero, true),
  $floor: rounding(down, false),
  $ceil: rounding(up, false),
  $sqrt: real(Math.sqrt, (value) => !(value < 0)),
  $exp: real(Math.exp),
  $ln: real(Math.log, (value) => !(value <= 0)),
  $log10: real(Math.log10, (value) => !(value <= 0)),
  $log: numeric((a, b) => double(Math.log(toDouble(a)) / Math.log(toDouble(b)))),
};
