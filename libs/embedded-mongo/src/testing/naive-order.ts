import { type Binary, type Code, type Decimal128, type ObjectId, type Timestamp } from 'bson';
import { isDoc, type Value } from '../bson/value';

/** MongoDB's order written a second time, slowly and another way, to check the fast one against. */
export function naiveCompare(a: Value | undefined, b: Value | undefined): number {
  return rank(a) - rank(b) || within(a as Value, b as Value);
}

const kinds = ['MinKey', 'undefined', 'null', 'number', 'string', 'object', 'array', 'Binary', 'ObjectId', 'boolean', 'Date', 'Timestamp', 'BSONRegExp', 'Code', 'MaxKey']; // prettier-ignore

export function kind(value: Value | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'Date';
  if (typeof value === 'bigint') return 'number';
  if (typeof value !== 'object') return typeof value;
  if (isDoc(value)) return 'object';
  const name = (value as { _bsontype: string })._bsontype;
  return name === 'Double' || name === 'Decimal128' ? 'number' : name;
}

const rank = (value: Value | undefined): number => kinds.indexOf(kind(value));

const order = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

function within(a: Value, b: Value): number {
  switch (kind(a)) {
    case 'number':
      return compareExact(a, b);
    case 'string':
      return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
    case 'object':
      return compareLists(
        Object.entries(a as object),
        Object.entries(b as object),
        ([n, x], [m, y]) => rank(x) - rank(y) || within(n, m) || within(x, y),
      );
    case 'array':
      return compareLists(a as Value[], b as Value[], naiveCompare);
    case 'Binary': {
      const [x, y] = [a as Binary, b as Binary];
      return order(x.length(), y.length()) || order(x.sub_type, y.sub_type) || Buffer.compare(x.value(), y.value());
    }
    case 'ObjectId':
      return order((a as ObjectId).toHexString(), (b as ObjectId).toHexString());
    case 'boolean':
      return order(a, b);
    case 'Date':
      return order(+(a as Date), +(b as Date));
    case 'Timestamp':
      return order((a as Timestamp).toBigInt(), (b as Timestamp).toBigInt());
    case 'Code':
      return order((a as Code).code, (b as Code).code);
    default:
      return 0;
  }
}

function compareLists<T>(a: T[], b: T[], compare: (x: T, y: T) => number): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const result = compare(a[i]!, b[i]!);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

/** Numbers as exact fractions; NaN below all, the infinities at the ends. */
function compareExact(a: Value, b: Value): number {
  const [x, y] = [fraction(a), fraction(b)];
  if (typeof x === 'number' || typeof y === 'number') {
    const place = (value: typeof x): number =>
      typeof value !== 'number' ? 0 : Number.isNaN(value) ? -2 : Math.sign(value);
    return place(x) - place(y);
  }
  return order(x.over * y.under, y.over * x.under);
}

function fraction(value: Value): { over: bigint; under: bigint } | number {
  const text =
    typeof value === 'bigint'
      ? String(value)
      : kind(value) === 'number' && typeof value === 'object'
        ? String(value as Decimal128)
        : '';
  const isDecimal = typeof value === 'object' && (value as { _bsontype?: string } | null)?._bsontype === 'Decimal128';
  if (typeof value === 'bigint' || isDecimal) {
    if (text === 'NaN') return NaN;
    if (text.endsWith('Infinity')) return text.startsWith('-') ? -Infinity : Infinity;
    const [mantissa = '', exponent = '0'] = text.split('E');
    const [whole = '', decimals = ''] = mantissa.split('.');
    const power = Number(exponent) - decimals.length;
    const digits = BigInt(whole + decimals);
    return power >= 0
      ? { over: digits * 10n ** BigInt(power), under: 1n }
      : { over: digits, under: 10n ** BigInt(-power) };
  }
  let number = Number(value);
  if (!Number.isFinite(number)) return number;
  let under = 1n;
  while (!Number.isInteger(number)) {
    number *= 2;
    under *= 2n;
  }
  return { over: BigInt(number), under };
}
