import { Decimal128, Double } from 'bson';
import { CommandError } from '../command-error';
import { isDecimal, plainNumber } from './compare';
import { parseDecimal, type Decimal } from './number-key';
import { isInt32 } from './type-name';
import { bsonClass, type Value } from './value';

type Rank = 0 | 1 | 2 | 3;
const INT = 0;
const LONG = 1;
const DOUBLE = 2;
const DECIMAL = 3;

function rankOf(value: Value): Rank {
  if (typeof value === 'bigint') return LONG;
  if (typeof value === 'number') return isInt32(value) ? INT : DOUBLE;
  return isDecimal(value) ? DECIMAL : DOUBLE;
}

const maxLong = 9223372036854775807n;
const minLong = -9223372036854775808n;

/** A double as a Value: wrapped when a bare number would mean int32. */
export const double = (value: number): Value => (isInt32(value) ? new Double(value) : value);

/** An integer result: int32 when both operands were and it fits, else int64; undefined when it fits neither. */
function integer(value: bigint, rank: Rank): Value | undefined {
  if (rank === INT && value >= -2147483648n && value <= 2147483647n) return Number(value);
  return value >= minLong && value <= maxLong ? value : undefined;
}

interface Operation {
  integers: (a: bigint, b: bigint) => bigint;
  doubles: (a: number, b: number) => number;
  decimals: (a: Decimal, b: Decimal) => Decimal;
}

const addition: Operation = {
  integers: (a, b) => a + b,
  doubles: (a, b) => a + b,
  decimals: (a, b) => {
    const exponent = Math.min(a.exponent, b.exponent);
    return { coefficient: scaled(a, exponent) + scaled(b, exponent), exponent };
  },
};

const subtraction: Operation = {
  integers: (a, b) => a - b,
  doubles: (a, b) => a - b,
  decimals: (a, b) => addition.decimals(a, { coefficient: -b.coefficient, exponent: b.exponent }),
};

const multiplication: Operation = {
  integers: (a, b) => a * b,
  doubles: (a, b) => a * b,
  decimals: (a, b) => ({ coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent }),
};

const scaled = ({ coefficient, exponent }: Decimal, to: number): bigint => coefficient * 10n ** BigInt(exponent - to);

/** MongoDB's promotion: int32 → int64 on overflow, then double with a double, decimal with a decimal. `overflow` decides past int64. */
function operate(operation: Operation, a: Value, b: Value, overflow: (exact: bigint) => Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && isInt32(a) && isInt32(b)) {
    const result = operation.doubles(a, b);
    if (isInt32(result)) return result;
  }
  const rank = Math.max(rankOf(a), rankOf(b)) as Rank;
  if (rank <= LONG) {
    const exact = operation.integers(BigInt(a as number), BigInt(b as number));
    return integer(exact, rank) ?? overflow(exact);
  }
  if (rank === DOUBLE) return double(operation.doubles(Number(plainNumber(a)), Number(plainNumber(b))));
  const x = exactDecimal(a);
  const y = exactDecimal(b);
  if (!x || !y) return Decimal128.fromString(special(operation.doubles(toDouble(a), toDouble(b))));
  return toDecimal128(operation.decimals(x, y));
}

const toLongDouble = (exact: bigint): Value => double(Number(exact));

/** Sum in the wider of both types; `overflow` decides what becomes of an int64 that does not fit. */
export const add = (a: Value, b: Value, overflow = toLongDouble): Value => operate(addition, a, b, overflow);
/** Difference, in the same way. */
export const subtract = (a: Value, b: Value, overflow = toLongDouble): Value => operate(subtraction, a, b, overflow);
/** Product, in the same way. */
export const multiply = (a: Value, b: Value, overflow = toLongDouble): Value => operate(multiplication, a, b, overflow);

/** For `$inc` and `$mul`, which refuse to leave int64. */
export function integerOverflow(): never {
  throw new CommandError('BadValue', 'Failed to apply $inc or $mul operations: integer overflow');
}

/** Quotient: a double, or a Decimal128 when one of both is. */
export function divide(a: Value, b: Value): Value {
  if (!isDecimal(a) && !isDecimal(b)) return double(toDouble(a) / toDouble(b));
  const x = exactDecimal(a);
  const y = exactDecimal(b);
  if (!x || !y) return Decimal128.fromString(special(toDouble(a) / toDouble(b)));
  // 40 digits more than the divisor has, so that the one rounding to 34 happens in toDecimal128.
  const shift = Math.max(0, 40 + digitCount(y.coefficient) - digitCount(x.coefficient));
  const numerator = x.coefficient * 10n ** BigInt(shift);
  const quotient = numerator / y.coefficient;
  const sticky = numerator % y.coefficient === 0n ? 0n : 1n;
  const sign = numerator < 0n !== y.coefficient < 0n ? -1n : 1n;
  return toDecimal128({ coefficient: quotient * 10n + sticky * sign, exponent: x.exponent - y.exponent - shift - 1 });
}

/** The nearest double of a number of any type. */
export const toDouble = (value: Value): number =>
  isDecimal(value) ? Number(value.toString()) : Number(plainNumber(value));

const special = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');

const digitCount = (value: bigint): number => (value < 0n ? -value : value).toString().length;

/** The exact value of a number, undefined for NaN and the infinities. A double counts as its shortest decimal form to 15 digits, as MongoDB converts it. */
export function exactDecimal(value: Value): Decimal | undefined {
  if (isDecimal(value)) {
    const text = value.toString();
    return text === 'NaN' || text.endsWith('Infinity') ? undefined : parseDecimal(text);
  }
  const plain = plainNumber(value);
  if (typeof plain === 'bigint') return { coefficient: plain, exponent: 0 };
  if (!Number.isFinite(plain)) return undefined;
  return parseDecimal(isInt32(plain as number) ? String(plain) : String(Number((plain as number).toPrecision(15))));
}

/** Rounds to 34 digits, half to even. */
export function toDecimal128({ coefficient, exponent }: Decimal): Decimal128 {
  const negative = coefficient < 0n;
  let digits = negative ? -coefficient : coefficient;
  let power = exponent;
  const excess = digits.toString().length - 34;
  if (excess > 0) {
    digits = roundedQuotient(digits, 10n ** BigInt(excess));
    power += excess;
  } else if (digits % 10n === 0n && power < -40) {
    while (digits !== 0n && digits % 10n === 0n && power < 0) {
      digits /= 10n;
      power++;
    }
  }
  return Decimal128.fromString(`${negative ? '-' : ''}${digits}E${power >= 0 ? '+' : ''}${power}`);
}

/** Quotient rounded to the nearest, half to even; both are not negative. */
export function roundedQuotient(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  const twice = (value % divisor) * 2n;
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** Whether it is an int, long, double or Decimal128. */
export const isNumber = (value: Value | undefined): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && ['Double', 'Decimal128'].includes(bsonClass(value) ?? ''));
