import { type Decimal128 } from 'bson';

/**
 * An order-preserving encoding of numbers that is equal for equal values of any width: the largest double not above
 * the value (8 bytes, ordered), then 0 when that is exact, else 1 and the decimal digits, which order the rest.
 */
export function numberKey(value: number | bigint | Decimal128): Buffer {
  const bytes = Buffer.allocUnsafe(28);
  return bytes.subarray(0, writeNumberKey(bytes, 0, value));
}

/** Writes a number as bytes that order as numbers do, whatever their type. Answers where it ends. */
export function writeNumberKey(bytes: Buffer, at: number, value: number | bigint | Decimal128): number {
  if (typeof value === 'number') return writeExact(bytes, at, value);
  if (typeof value === 'bigint') {
    const near = Number(value);
    if (BigInt(near) === value) return writeExact(bytes, at, near);
    return writeInexact(bytes, at, BigInt(near) > value ? nextDown(near) : near, { coefficient: value, exponent: 0 });
  }
  const text = value.toString();
  const near = Number(text);
  if (Number.isNaN(near) || text.endsWith('Infinity')) return writeExact(bytes, at, near);
  const decimal = parseDecimal(text);
  if (decimal.coefficient === 0n) return writeExact(bytes, at, 0);
  if (!Number.isFinite(near)) {
    return near > 0 ? writeInexact(bytes, at, Number.MAX_VALUE, decimal) : writeInexact(bytes, at, -Infinity, decimal);
  }
  const order = compareToDouble(decimal, near);
  if (order === 0) return writeExact(bytes, at, near);
  return writeInexact(bytes, at, order < 0 ? nextDown(near) : near, decimal);
}

/** coefficient × 10^exponent. */
export interface Decimal {
  coefficient: bigint;
  exponent: number;
}

/** The exact coefficient and exponent of a decimal string such as `-1.25E+3`. */
export function parseDecimal(text: string): Decimal {
  const match = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) throw new TypeError(`not a decimal: ${text}`);
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const digits = BigInt(whole + fraction || '0');
  return { coefficient: sign ? -digits : digits, exponent: Number(power) - fraction.length };
}

/** Exact comparison: a double is an integer times a power of two, so both sides become integers over one denominator. */
function compareToDouble({ coefficient, exponent }: Decimal, double: number): number {
  const { mantissa, power } = splitDouble(double);
  let left = coefficient;
  let right = mantissa;
  if (exponent >= 0) left *= 10n ** BigInt(exponent);
  else right *= 10n ** BigInt(-exponent);
  if (power >= 0) right <<= BigInt(power);
  else left <<= BigInt(-power);
  return left < right ? -1 : left > right ? 1 : 0;
}

const scratch = new DataView(new ArrayBuffer(8));

function splitDouble(double: number): { mantissa: bigint; power: number } {
  scratch.setFloat64(0, double);
  const bits = scratch.getBigUint64(0);
  const exponentBits = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponentBits === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: bits >> 63n ? -magnitude : magnitude, power: Math.max(exponentBits, 1) - 1075 };
}

/** The next double below a finite one. */
function nextDown(double: number): number {
  if (double === 0) return -Number.MIN_VALUE;
  scratch.setFloat64(0, double);
  scratch.setBigUint64(0, scratch.getBigUint64(0) + (double > 0 ? -1n : 1n));
  return scratch.getFloat64(0);
}

function writeDouble(bytes: Buffer, at: number, value: number): void {
  if (Number.isNaN(value)) {
    bytes.fill(0, at, at + 8); // below every other number
    return;
  }
  bytes.writeDoubleBE(value === 0 ? 0 : value, at);
  if (bytes[at]! & 0x80) for (let i = at; i < at + 8; i++) bytes[i] = bytes[i]! ^ 0xff;
  else bytes[at] = bytes[at]! ^ 0x80;
}

function writeExact(bytes: Buffer, at: number, value: number): number {
  writeDouble(bytes, at, value);
  bytes[at + 8] = 0;
  return at + 9;
}

/** 34 digits, the widest Decimal128, packed two a byte after the power of ten of the first digit. */
function writeInexact(bytes: Buffer, at: number, below: number, { coefficient, exponent }: Decimal): number {
  writeDouble(bytes, at, below);
  bytes[at + 8] = 1;
  const negative = coefficient < 0n;
  const digits = (negative ? -coefficient : coefficient).toString();
  bytes.writeUInt16BE(digits.length + exponent + 0x8000, at + 9);
  bytes.write(digits.padEnd(34, '0'), at + 11, 'hex');
  if (negative) for (let i = at + 9; i < at + 28; i++) bytes[i] = bytes[i]! ^ 0xff;
  return at + 28;
}
