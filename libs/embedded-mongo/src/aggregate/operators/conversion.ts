import { type Binary, Decimal128, ObjectId, type Timestamp, UUID } from 'bson';
import { CommandError } from '../../command-error';
import { double, exactDecimal, isNumber, roundedQuotient, toDouble } from '../../bson/arithmetic';
import { isDecimal } from '../../bson/compare';
import { isInt32, typeName, typeNumbers } from '../../bson/type-name';
import { bsonClass, isNil, type Value } from '../../bson/value';
import { type CompileOperator } from '../expression';
import { fixed, named } from './operand';
import { truthy } from '../truthy';

const failed = (message: string): CommandError => new CommandError('ConversionFailure', message);
const unsupported = (value: Value, to: string): CommandError =>
  failed(`Unsupported conversion from ${typeName(value)} to ${to} in $convert with no onError value`);

/** How MongoDB writes a value as text; undefined when it has no text. */
export function toText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (isNumber(value)) return isDecimal(value) ? value.toString() : String(toDouble(value));
  if (value instanceof Date) return value.toISOString();
  const kind = typeof value === 'object' && value !== null ? bsonClass(value) : undefined;
  if (kind === 'ObjectId') return (value as ObjectId).toHexString();
  if (kind === 'Binary' && (value as Binary).sub_type === 4) return new UUID((value as Binary).value()).toString();
  return undefined;
}

function toInteger(value: Value, to: 'int' | 'long'): Value {
  const exact = integerValue(value, to);
  const fits = to === 'int' ? exact >= -2147483648n && exact <= 2147483647n : BigInt.asIntN(64, exact) === exact;
  if (!fits) throw failed(`Conversion would overflow target type in $convert with no onError value: ${String(value)}`);
  return to === 'int' ? Number(exact) : exact;
}

function integerValue(value: Value, to: string): bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'bigint') return value;
  if (value instanceof Date && to === 'long') return BigInt(value.getTime());
  if (typeof value === 'string') {
    if (/^[+-]?\d+$/.test(value)) return BigInt(value);
    throw failed(`Failed to parse number '${value}' in $convert with no onError value: Did not consume whole string.`);
  }
  if (!isNumber(value)) throw unsupported(value, to);
  if (isDecimal(value)) {
    const decimal = exactDecimal(value);
    if (!decimal)
      throw failed('Attempt to convert NaN or infinity value to integer type in $convert with no onError value');
    if (decimal.exponent >= 0) return decimal.coefficient * 10n ** BigInt(Math.min(decimal.exponent, 40));
    return decimal.coefficient / 10n ** BigInt(-decimal.exponent);
  }
  const number = toDouble(value);
  if (!Number.isFinite(number))
    throw failed('Attempt to convert NaN or infinity value to integer type in $convert with no onError value');
  return BigInt(Math.trunc(number));
}

function toDoubleValue(value: Value): Value {
  if (typeof value === 'boolean') return double(value ? 1 : 0);
  if (value instanceof Date) return double(value.getTime());
  if (typeof value === 'string') return double(parsed(value));
  if (!isNumber(value)) throw unsupported(value, 'double');
  return double(toDouble(value));
}

function parsed(text: string): number {
  if (!/^[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|Infinity|NaN)$/.test(text)) {
    throw failed(`Failed to parse number '${text}' in $convert with no onError value: Did not consume whole string.`);
  }
  return Number(text);
}

function toDecimal(value: Value): Value {
  if (isDecimal(value)) return value;
  if (typeof value === 'boolean') return Decimal128.fromString(value ? '1' : '0');
  if (value instanceof Date) return Decimal128.fromString(String(value.getTime()));
  if (typeof value === 'bigint') return Decimal128.fromString(String(value));
  if (typeof value === 'string') {
    parsed(value);
    return Decimal128.fromString(value);
  }
  if (!isNumber(value)) throw unsupported(value, 'decimal');
  const number = toDouble(value);
  if (!Number.isFinite(number)) return Decimal128.fromString(String(number));
  return Decimal128.fromString(typeof value === 'number' && isInt32(value) ? String(number) : number.toPrecision(15));
}

function toDate(value: Value): Value {
  if (value instanceof Date) return value;
  if (typeof value === 'object' && value !== null) {
    const kind = bsonClass(value);
    if (kind === 'ObjectId') return (value as ObjectId).getTimestamp();
    if (kind === 'Timestamp') return new Date((value as Timestamp).t * 1000);
    if (kind === 'Decimal128') return new Date(Number(roundedQuotient(BigInt(Math.trunc(toDouble(value))), 1n)));
  }
  if (typeof value === 'string') {
    // Without a zone a time is UTC.
    const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(value) || /^\d{4}-\d\d-\d\d$/.test(value) ? value : `${value}Z`;
    const date = new Date(zoned);
    if (Number.isNaN(date.getTime()))
      throw failed(`Error parsing date string '${value}' in $convert with no onError value`);
    return date;
  }
  if (typeof value === 'bigint' || (isNumber(value) && !(typeof value === 'number' && isInt32(value))))
    return new Date(Math.trunc(toDouble(value)));
  throw unsupported(value, 'date');
}

function toObjectId(value: Value): Value {
  if (typeof value === 'object' && value !== null && bsonClass(value) === 'ObjectId') return value;
  if (typeof value !== 'string') throw unsupported(value, 'objectId');
  if (!/^[0-9a-fA-F]{24}$/.test(value))
    throw failed(
      `Failed to parse objectId '${value}' in $convert with no onError value: Invalid string length for parsing to OID, expected 24 but found ${value.length}`,
    );
  return new ObjectId(value);
}

function toStringValue(value: Value): Value {
  const text = toText(value);
  if (text === undefined) throw unsupported(value, 'string');
  return text;
}

const toBool = (value: Value): Value => truthy(value);

const conversions: Record<string, (value: Value) => Value> = {
  int: (value) => toInteger(value, 'int'),
  long: (value) => toInteger(value, 'long'),
  double: toDoubleValue,
  decimal: toDecimal,
  string: toStringValue,
  bool: toBool,
  date: toDate,
  objectId: toObjectId,
};

const convertTo = (convert: (value: Value) => Value): CompileOperator =>
  fixed(1, ([value]) => (isNil(value) ? null : convert(value)));

const convert: CompileOperator = (operand, name, compile) => {
  const spec = named(operand, name, ['input', 'to', 'onError', 'onNull', 'format'], ['input', 'to'], compile);
  return (doc, variables) => {
    const input = spec.value('input', doc, variables);
    const to = spec.value('to', doc, variables);
    if (isNil(input)) return spec.has('onNull') ? spec.value('onNull', doc, variables) : null;
    if (isNil(to)) return null;
    if (typeof to !== 'string' && !isNumber(to))
      throw new CommandError(
        'FailedToParse',
        `$convert's 'to' argument must be a string or number, but is ${typeName(to)}`,
      );
    if (isNumber(to) && !Number.isInteger(toDouble(to)))
      throw new CommandError('FailedToParse', "In $convert, numeric 'to' argument is not an integer");
    const target =
      typeof to === 'string'
        ? to
        : Object.keys(typeNumbers).find((type) => isNumber(to) && typeNumbers[type] === toDouble(to));
    const conversion = target === undefined ? undefined : conversions[target];
    if (target === undefined)
      throw new CommandError(
        'FailedToParse',
        `In $convert, numeric value for 'to' does not correspond to a BSON type: ${String(to)}`,
      );
    if (!conversion && !Object.hasOwn(typeNumbers, target))
      throw new CommandError('BadValue', `Unknown type name: ${target}`);
    if (!conversion && spec.has('onError')) return spec.value('onError', doc, variables);
    if (!conversion) throw unsupported(input, target);
    try {
      return conversion(input);
    } catch (error) {
      if (error instanceof CommandError && error.codeName === 'ConversionFailure' && spec.has('onError'))
        return spec.value('onError', doc, variables);
      throw error;
    }
  };
};

export const conversionOperators: Record<string, CompileOperator> = {
  $convert: convert,
  $toInt: convertTo(conversions.int!),
  $toLong: convertTo(conversions.long!),
  $toDouble: convertTo(toDoubleValue),
  $toDecimal: convertTo(toDecimal),
  $toString: convertTo(toStringValue),
  $toBool: convertTo(toBool),
  $toDate: convertTo(toDate),
  $toObjectId: convertTo(toObjectId),
  $type: fixed(1, ([value]) => typeName(value)),
  $isNumber: fixed(1, ([value]) => isNumber(value)),
};
