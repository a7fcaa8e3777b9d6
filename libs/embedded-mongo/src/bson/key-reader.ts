import { Binary, Double, ObjectId, Timestamp } from 'bson';
import { isInt32 } from './type-name';
import { bsonClass, TypeOrder, type Value } from './value';

/**
 * Index keys are equal for equal numbers of any width, so a key alone does not say what was stored. These codes, one a field,
 * stand beside it: whether the value can be read back from the key, and as what.
 */
const unreadable = 0;
export const asItIs = 1;
const asLong = 2;
const asDouble = 3;

/** The codes of one key's values; a single one stands for all when every value is what its key says. */
export function keyCodes(values: readonly (Value | undefined | symbol)[]): Buffer {
  const codes = Buffer.from(values.map(codeOf));
  return codes.every((code) => code === asItIs) ? codes.subarray(0, 1) : codes;
}

function codeOf(value: Value | undefined | symbol): number {
  if (typeof value === 'number') return Number.isNaN(value) || Object.is(value, -0) ? unreadable : asItIs;
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? asLong : unreadable;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || value instanceof Date) return asItIs;
  if (typeof value !== 'object' || Array.isArray(value)) return unreadable;
  const name = bsonClass(value);
  if (name === 'Double') return isInt32((value as Double).value) ? asDouble : unreadable;
  if (name === 'Binary') return (value as Binary).sub_type === Binary.SUBTYPE_BYTE_ARRAY ? unreadable : asItIs;
  return name === 'ObjectId' || name === 'Timestamp' ? asItIs : unreadable;
}

/**
 * The values of an index key, as `KeyWriter` wrote it; undefined when one that is `wanted` cannot be read back, so that the document
 * has to be looked at. What is not wanted is left out.
 */
export function readKey(
  key: Buffer,
  descending: readonly boolean[],
  wanted: readonly boolean[],
  codes: Buffer,
): (Value | undefined)[] | undefined {
  if (codes.length === 0) return undefined;
  at = 0;
  const values: (Value | undefined)[] = [];
  let inverted: Buffer | undefined;
  for (const [i, isDescending] of descending.entries()) {
    const code = codes.length === 1 && descending.length > 1 ? codes[0]! : codes[i]!;
    if (wanted[i] && code === unreadable) return undefined;
    const bytes = isDescending ? (inverted ??= Buffer.from(key.map((byte) => byte ^ 0xff))) : key;
    const value = readValue(bytes, bytes[at++]!, code);
    values.push(wanted[i] ? value : undefined);
  }
  return values;
}

let at = 0;

function take(size: number): number {
  at += size;
  return at - size;
}

function readValue(bytes: Buffer, type: number, code: number): Value | undefined {
  switch (type) {
    case TypeOrder.number:
      return readNumber(bytes, code);
    case TypeOrder.string:
      return readText(bytes);
    case TypeOrder.object:
      return skipMembers(bytes, true);
    case TypeOrder.array:
      return skipMembers(bytes, false);
    case TypeOrder.binary: {
      const size = bytes.readUInt32BE(take(4));
      const subType = bytes[take(1)]!;
      return new Binary(Buffer.from(bytes.subarray(at, take(size) + size)), subType);
    }
    case TypeOrder.objectId:
      return new ObjectId(Uint8Array.prototype.slice.call(bytes, at, take(12) + 12));
    case TypeOrder.boolean:
      return bytes[take(1)] === 1;
    case TypeOrder.date:
      return new Date(Number(BigInt.asIntN(64, bytes.readBigUInt64BE(take(8)) ^ (1n << 63n))));
    case TypeOrder.timestamp:
      return new Timestamp(bytes.readBigUInt64BE(take(8)));
    case TypeOrder.regex:
      readText(bytes);
      readText(bytes);
      return undefined;
    case TypeOrder.code:
    case TypeOrder.codeWithScope:
      readText(bytes);
      return type === TypeOrder.code ? undefined : skipMembers(bytes, true);
    default:
      return type === TypeOrder.null ? null : undefined;
  }
}

const scratch = Buffer.alloc(8);

function readNumber(bytes: Buffer, code: number): Value | undefined {
  bytes.copy(scratch, 0, at, take(8) + 8);
  if (bytes[take(1)] === 1) {
    take(19);
    return undefined;
  }
  if (scratch[0]! & 0x80) scratch[0]! ^= 0x80;
  else for (let i = 0; i < 8; i++) scratch[i] = scratch[i]! ^ 0xff;
  const value = scratch.readDoubleBE(0);
  return code === asLong ? BigInt(value) : code === asDouble ? new Double(value) : value;
}

function readText(bytes: Buffer): string {
  const start = at;
  let escaped = false;
  for (; ; at++) {
    if (bytes[at] !== 0) continue;
    if (bytes[++at] === 1) break;
    escaped = true;
  }
  const text = bytes.toString('utf8', start, ++at - 2);
  return escaped ? unescaped(bytes.subarray(start, at - 2)) : text;
}

const unescaped = (bytes: Buffer): string =>
  Buffer.from(bytes.filter((byte, i) => !(byte === 0xff && bytes[i - 1] === 0))).toString('utf8');

/** Documents and arrays are not read back: only where they end is of interest. */
function skipMembers(bytes: Buffer, named: boolean): undefined {
  for (let type = bytes[at++]!; type !== 0; type = bytes[at++]!) {
    if (named) readText(bytes);
    readValue(bytes, type, unreadable);
  }
  return undefined;
}
