import { isUtf8 } from 'node:buffer';
import { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { CommandError } from '../command-error';
import { isInt32 } from './type-name';
import { setField, type Doc, type Value } from './value';

/**
 * Decodes one BSON document, all of `bytes` or what begins at `from`, into Values (see Value for why bson's own
 * deserializer does not fit: it loses number types or wraps every number).
 */
export function readDocument(bytes: Buffer, from?: number): Doc {
  const start = from ?? 0;
  const size = bytes.length - start < 5 ? -1 : bytes.readInt32LE(start);
  const fits = from === undefined ? size === bytes.length : start + size <= bytes.length;
  if (size < 5 || !fits || bytes[start + size - 1] !== 0) throw invalid('wrong size');
  at = start + 4;
  return readFields(bytes, start + size - 1);
}

/** The documents of an insert, still encoded: they are stored as they came. */
export interface RawCommand {
  body: Doc;
  documents: Buffer[] | undefined;
}

/** Decodes a command but not the documents it inserts. */
export function readCommand(bytes: Buffer): RawCommand {
  const size = bytes.length < 5 ? -1 : bytes.readInt32LE(0);
  if (size !== bytes.length || bytes[size - 1] !== 0) throw invalid('wrong size of a command');
  at = 4;
  const body: Doc = {};
  let documents: Buffer[] | undefined;
  while (at < size - 1) {
    const type = bytes[at++]!;
    const name = readName(bytes, size - 1);
    const start = at;
    if (name === 'documents' && type === 0x04 && 'insert' in body)
      documents = readSlices(bytes, nestedEnd(bytes, size - 1));
    if (documents && name === 'documents') continue;
    at = start;
    setField(body, name, readValue(bytes, type, size - 1));
  }
  return { body, documents };
}

/** Undefined when something else than documents is in the list: then it is read as any other field and refused by its type. */
function readSlices(bytes: Buffer, end: number): Buffer[] | undefined {
  const slices: Buffer[] = [];
  while (at < end) {
    if (bytes[at++] !== 0x03) return undefined;
    readName(bytes, end);
    const start = at;
    at = nestedEnd(bytes, end) + 1;
    slices.push(bytes.subarray(start, at));
  }
  at = end + 1;
  return slices;
}

const invalid = (what: string): CommandError => new CommandError('InvalidBSON', `Invalid BSON: ${what}`);

// The position lives outside the functions: they call each other for every field, and returning pairs would allocate.
let at = 0;

function readFields(bytes: Buffer, end: number): Doc {
  const doc: Doc = {};
  while (at < end) {
    const type = bytes[at++]!;
    const name = readName(bytes, end);
    const value = readValue(bytes, type, end);
    if (name === '__proto__') setField(doc, name, value);
    else doc[name] = value;
  }
  at = end + 1;
  return doc;
}

function readName(bytes: Buffer, end: number): string {
  const start = at;
  let ascii = true;
  let byte: number;
  while ((byte = bytes[at]!) !== 0) {
    if (byte > 127) ascii = false;
    if (++at > end) throw invalid('unterminated name');
  }
  const name = ascii ? bytes.toString('latin1', start, at) : bytes.toString('utf8', start, at);
  at++;
  return name;
}

function readArray(bytes: Buffer, end: number): Value[] {
  const items: Value[] = [];
  while (at < end) {
    const type = bytes[at++]!;
    while (bytes[at++] !== 0) if (at > end) throw invalid('unterminated name');
    items.push(readValue(bytes, type, end));
  }
  at = end + 1;
  return items;
}

function nestedEnd(bytes: Buffer, end: number): number {
  const size = bytes.readInt32LE(at);
  const last = at + size - 1;
  if (size < 5 || last >= end || bytes[last] !== 0) throw invalid('wrong size of a nested document');
  at += 4;
  return last;
}

function readString(bytes: Buffer, end: number): string {
  const size = bytes.readInt32LE(at);
  const start = at + 4;
  if (size < 1 || start + size > end || bytes[start + size - 1] !== 0) throw invalid('wrong size of a string');
  at = start + size;
  const text = bytes.toString('utf8', start, at - 1);
  // What is no UTF-8 was replaced, and would be stored so by the next update.
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, at - 1))) throw invalid('a string that is not UTF-8');
  return text;
}

function take(size: number, end: number): number {
  const start = at;
  if ((at += size) > end) throw invalid('value past the end');
  return start;
}

function readValue(bytes: Buffer, type: number, end: number): Value {
  switch (type) {
    case 0x01: {
      const value = bytes.readDoubleLE(take(8, end));
      return isInt32(value) ? new Double(value) : value;
    }
    case 0x02:
      return readString(bytes, end);
    case 0x03:
      return readFields(bytes, nestedEnd(bytes, end));
    case 0x04:
      return readArray(bytes, nestedEnd(bytes, end));
    case 0x05:
      return readBinary(bytes, end);
    case 0x06: // undefined, long deprecated: MongoDB treats it as null in comparisons
      return null;
    case 0x07: {
      const start = take(12, end);
      return new ObjectId(Uint8Array.prototype.slice.call(bytes, start, start + 12));
    }
    case 0x08: {
      const byte = bytes[take(1, end)]!;
      if (byte > 1) throw invalid(`a boolean of ${byte}`);
      return byte === 1;
    }
    case 0x09:
      return new Date(Number(bytes.readBigInt64LE(take(8, end))));
    case 0x0a:
      return null;
    case 0x0b: {
      const source = readName(bytes, end);
      return new BSONRegExp(source, readName(bytes, end));
    }
    case 0x0d:
      return new Code(readString(bytes, end));
    case 0x0e:
      return new BSONSymbol(readString(bytes, end));
    case 0x0f: {
      const start = at;
      const size = bytes.readInt32LE(take(4, end));
      const code = readString(bytes, end);
      const scope = readFields(bytes, nestedEnd(bytes, end));
      if (at !== start + size) throw invalid('wrong size of code with scope');
      return new Code(code, scope);
    }
    case 0x10:
      return bytes.readInt32LE(take(4, end));
    case 0x11:
      return new Timestamp(bytes.readBigUInt64LE(take(8, end)));
    case 0x12:
      return bytes.readBigInt64LE(take(8, end));
    case 0x13: {
      const start = take(16, end);
      return new Decimal128(Uint8Array.prototype.slice.call(bytes, start, start + 16));
    }
    case 0xff:
      return new MinKey();
    case 0x7f:
      return new MaxKey();
    default:
      throw invalid(`type 0x${type.toString(16)} is not supported`);
  }
}

function readBinary(bytes: Buffer, end: number): Binary {
  const size = bytes.readInt32LE(take(4, end));
  const subType = bytes[take(1, end)]!;
  if (size < 0) throw invalid('wrong size of a binary');
  const start = take(size, end);
  // Subtype 2 repeats its size inside.
  if (subType === 2 && (size < 4 || bytes.readInt32LE(start) !== size - 4)) throw invalid('wrong size of a binary');
  const from = subType === 2 ? start + 4 : start;
  return new Binary(Uint8Array.prototype.slice.call(bytes, from, start + size), subType);
}
