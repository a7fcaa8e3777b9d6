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
import { isInt32 } from './type-name';
import { bsonClass, isDoc, type Value } from './value';

/** A value as mongod prints it in messages (`BSONElement::toString`): `{ a: 1, b: "x", c: 1.0 }`. */
export function describe(value: Value | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return isInt32(value) ? String(value) : describeDouble(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length ? `[ ${value.map(describe).join(', ')} ]` : '[]';
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (isDoc(value)) {
    const fields = Object.keys(value).map((name) => `${name}: ${describe(value[name])}`);
    return fields.length ? `{ ${fields.join(', ')} }` : '{}';
  }
  return describeClass(value as Exclude<Value, null>);
}

function describeClass(value: Exclude<Value, null>): string {
  const name = bsonClass(value as object) ?? '';
  switch (name) {
    case 'Double':
      return describeDouble((value as Double).value);
    case 'Decimal128':
      return (value as Decimal128).toString();
    case 'ObjectId':
      return `ObjectId('${(value as ObjectId).toHexString()}')`;
    case 'Binary':
      return describeBinary(value as Binary);
    case 'Timestamp':
      return `Timestamp(${(value as Timestamp).t}, ${(value as Timestamp).i})`;
    case 'BSONRegExp':
      return `/${(value as BSONRegExp).pattern}/${(value as BSONRegExp).options}`;
    case 'BSONSymbol':
      return quoted((value as BSONSymbol).value);
    case 'Code':
      return String((value as Code).code);
    default:
      return name;
  }
}

/** Long texts are cut; nothing in them is escaped. */
const quoted = (text: string): string => (Buffer.byteLength(text) >= 160 ? `"${text.slice(0, 150)}..."` : `"${text}"`);

/** C's `%.16g`, and `.0` where that would look like an integer. */
function describeDouble(value: number): string {
  if (Number.isNaN(value)) return 'nan.0';
  if (!Number.isFinite(value)) return value > 0 ? 'inf.0' : '-inf.0';
  if (Object.is(value, -0)) return '-0.0';
  const [mantissa = '', exponent = '0'] = value.toExponential(15).split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    const digits = mantissa.replace(/\.?0+$/, '');
    const shown = `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
    return digits.includes('.') ? shown : `${shown}.0`;
  }
  const shown = value
    .toFixed(Math.min(100, 15 - power))
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  return shown.includes('.') ? shown : `${shown}.0`;
}

function describeBinary(value: Binary): string {
  const bytes = Buffer.from(value.value());
  if (value.sub_type === 4 && bytes.length === 16) {
    const hex = bytes.toString('hex');
    return `UUID("${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}")`;
  }
  const hex = bytes.toString('hex').toUpperCase();
  return `BinData(${value.sub_type}, ${bytes.length > 80 ? `${hex.slice(0, 140)}...` : hex})`;
}
