import { CommandError } from '../command-error';
import { isDecimal, plainNumber } from '../bson/compare';
import { typeName, typeNumbers } from '../bson/type-name';
import { typeOrder, TypeOrder, type Value } from '../bson/value';
import { type ValueTest } from './path';

const numeric = ['double', 'int', 'long', 'decimal'];

/** `$type`, of one type or any of several. */
export function typeTest(operand: Value): ValueTest {
  const names = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(typeNames));
  if (names.size === 0) throw new CommandError('FailedToParse', '$type must match at least one type');
  return (value) => value !== undefined && names.has(typeName(value));
}

function typeNames(type: Value): string[] {
  if (type === 'number') return numeric;
  if (typeof type === 'string') {
    if (!Object.hasOwn(typeNumbers, type)) throw new CommandError('BadValue', `Unknown type name alias: ${type}`);
    return [type];
  }
  const number = typeOrder(type) === TypeOrder.number ? Number(plainNumber(type)) : NaN;
  const name = Object.keys(typeNumbers).find((key) => typeNumbers[key] === number);
  if (!name) throw new CommandError('BadValue', `Invalid numerical type code: ${String(type)}`);
  return [name];
}

/** Operand of `$size`: a whole number that is not negative, else BadValue. */
export function sizeOperand(operand: Value): number {
  const size = typeOrder(operand) === TypeOrder.number ? Number(plainNumber(operand).toString()) : NaN;
  if (Number.isNaN(size))
    throw new CommandError('BadValue', `Failed to parse $size. Expected a number in: $size: ${String(operand)}`);
  if (!Number.isInteger(size))
    throw new CommandError('BadValue', `Failed to parse $size. Expected an integer: $size: ${size}`);
  if (size < 0)
    throw new CommandError('BadValue', `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  return size;
}

/** `$mod`. */
export function modTest(operand: Value): ValueTest {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', 'malformed mod, needs to be an array');
  if (operand.length < 2) throw new CommandError('BadValue', 'malformed mod, not enough elements');
  if (operand.length > 2) throw new CommandError('BadValue', 'malformed mod, too many elements');
  const divisor = integerPart(operand[0]!);
  const remainder = integerPart(operand[1]!);
  if (divisor === undefined) throw new CommandError('BadValue', 'malformed mod, divisor not a number');
  if (remainder === undefined) throw new CommandError('BadValue', 'malformed mod, remainder not a number');
  if (divisor === 0n) throw new CommandError('BadValue', 'divisor cannot be 0');
  return (value) => {
    const integer = value === undefined ? undefined : integerPart(value);
    return integer !== undefined && integer % divisor === remainder;
  };
}

function integerPart(value: Value): bigint | undefined {
  if (typeOrder(value) !== TypeOrder.number) return undefined;
  const number = isDecimal(value) ? Number(value.toString()) : plainNumber(value);
  if (typeof number === 'bigint') return number;
  return Number.isFinite(number) ? BigInt(Math.trunc(number as number)) : undefined;
}
