import {
  type Binary,
  type BSONRegExp,
  type BSONSymbol,
  type Code,
  type Decimal128,
  type Double,
  type ObjectId,
  type Timestamp,
} from 'bson';
import { activeCollation } from './collation';
import { numberKey } from './number-key';
import { bsonClass, typeOrder, TypeOrder, type Doc, type Value } from './value';

/** MongoDB's total order over all values: by type first, then by value; a missing field sorts below null. */
export function compareValues(a: Value | undefined, b: Value | undefined): number {
  if (a === b) return 0;
  const typeA = typeOrder(a);
  const typeB = typeOrder(b);
  return typeA !== typeB ? typeA - typeB : compareSameType(typeA, a as Value, b as Value);
}

/** Equal in the order of BSON values: 1, 1.0 and a long 1 are. */
export const valuesEqual = (a: Value | undefined, b: Value | undefined): boolean => compareValues(a, b) === 0;

function compareSameType(type: number, a: Value, b: Value): number {
  switch (type) {
    case TypeOrder.number:
      return compareNumbers(a, b);
    case TypeOrder.string: {
      const collation = activeCollation();
      return collation ? collation.compare(text(a), text(b)) : compareStrings(text(a), text(b));
    }
    case TypeOrder.object:
      return compareDocs(a as Doc, b as Doc);
    case TypeOrder.array:
      return compareArrays(a as Value[], b as Value[]);
    case TypeOrder.binary:
      return compareBinaries(a as Binary, b as Binary);
    case TypeOrder.objectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case TypeOrder.boolean:
      return Number(a) - Number(b);
    case TypeOrder.date:
      return (a as Date).getTime() - (b as Date).getTime();
    case TypeOrder.timestamp:
      return (a as Timestamp).compare(b as Timestamp);
    case TypeOrder.regex:
      return (
        compareStrings((a as BSONRegExp).pattern, (b as BSONRegExp).pattern) ||
        compareStrings((a as BSONRegExp).options, (b as BSONRegExp).options)
      );
    case TypeOrder.code:
    case TypeOrder.codeWithScope:
      return (
        compareStrings((a as Code).code, (b as Code).code) ||
        compareDocs(((a as Code).scope ?? {}) as Doc, ((b as Code).scope ?? {}) as Doc)
      );
    default:
      return 0;
  }
}

const text = (value: Value): string => (typeof value === 'string' ? value : (value as BSONSymbol).value);

/** By code point, as UTF-8 bytes compare: `<` compares UTF-16 units, which sorts surrogates below U+E000…U+FFFF. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xSurrogate = x >= 0xd800 && x <= 0xdfff;
    const ySurrogate = y >= 0xd800 && y <= 0xdfff;
    if (xSurrogate !== ySurrogate && x >= 0xd800 && y >= 0xd800) return xSurrogate ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

/** Whether it is a Decimal128. */
export const isDecimal = (value: Value): value is Decimal128 =>
  typeof value === 'object' && value !== null && bsonClass(value) === 'Decimal128';

/** A number, or a bigint for int64; a Decimal128 stays what it is. */
export function plainNumber(value: Value): number | bigint | Decimal128 {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return isDecimal(value) ? value : (value as Double).value;
}

/** Order of two numbers of any types, exactly; NaN comes first. */
export function compareNumbers(left: Value, right: Value): number {
  const a = plainNumber(left);
  const b = plainNumber(right);
  if (typeof a === 'object' || typeof b === 'object') return Buffer.compare(numberKey(a), numberKey(b));
  if (a < b) return -1;
  if (a > b) return 1;
  if (typeof a === 'number' && Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1;
  return typeof b === 'number' && Number.isNaN(b) ? 1 : 0;
}

/** Whether it is a NaN, of a double or a Decimal128. */
export const isNaNValue = (value: Value): boolean => {
  if (typeof value === 'number') return Number.isNaN(value);
  return isDecimal(value) && value.toString() === 'NaN';
};

function compareArrays(a: Value[], b: Value[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Field by field in stored order: type, then name, then value. */
function compareDocs(a: Doc, b: Doc): number {
  const namesA = Object.keys(a);
  const namesB = Object.keys(b);
  const length = Math.min(namesA.length, namesB.length);
  for (let i = 0; i < length; i++) {
    const x = a[namesA[i]!]!;
    const y = b[namesB[i]!]!;
    const typeX = typeOrder(x);
    const typeY = typeOrder(y);
    const order = typeX - typeY || compareStrings(namesA[i]!, namesB[i]!) || compareSameType(typeX, x, y);
    if (order !== 0) return order;
  }
  return namesA.length - namesB.length;
}

function compareBinaries(a: Binary, b: Binary): number {
  return a.position - b.position || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value());
}
