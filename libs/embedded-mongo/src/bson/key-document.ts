import { asItIs } from './key-reader';
import { TypeOrder } from './value';

/** A field of an index: its name as BSON has it, with the zero byte; without one the field is left out. */
export interface KeyField {
  readonly name: Buffer | undefined;
  readonly descending: boolean;
}

// One output for all: what is written is copied out before anything else can run.
let out = Buffer.allocUnsafe(16 * 1024);
let at = 0;
let to = 0;

/**
 * The BSON document of an index key, as `KeyWriter` wrote it, that lies between `start` and `end`: what `readKey` and `writeDocument`
 * make together, without a value in between. Only for keys of text, dates and truth values that are what was stored; undefined for others.
 */
export function keyDocument(
  key: Buffer,
  start: number,
  end: number,
  fields: readonly KeyField[],
  codes: Buffer,
): Buffer | undefined {
  room(end - start, fields);
  at = start;
  to = 4;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    const code = codes.length === 1 ? codes[0] : codes[i];
    if (field.name && code !== asItIs) return undefined;
    if (!writeField(key, field)) return undefined;
  }
  out[to++] = 0;
  out.writeInt32LE(to, 0);
  return Buffer.from(out.subarray(0, to));
}

/** A value takes at most as much as in the key, and what BSON has around it. */
function room(keyBytes: number, fields: readonly KeyField[]): void {
  const names = fields.reduce((sum, { name }) => sum + (name?.length ?? 0) + 8, 0);
  const size = 4 + keyBytes + names + 1;
  if (out.length < size) out = Buffer.allocUnsafe(size * 2);
}

/** False for a value of any other type. */
function writeField(key: Buffer, { name, descending }: KeyField): boolean {
  const mask = descending ? 0xff : 0;
  const before = to;
  const type = key[at++]! ^ mask;
  if (name) {
    out[to++] = bsonTypes[type]!;
    for (let i = 0; i < name.length; i++) out[to++] = name[i]!;
  }
  if (type === TypeOrder.string) writeText(key, mask);
  else if (type === TypeOrder.date) writeDate(key, mask);
  else if (type === TypeOrder.boolean) out[to++] = key[at++]! ^ mask;
  else return false;
  if (!name) to = before;
  return true;
}

const bsonTypes = new Uint8Array(256);
bsonTypes[TypeOrder.string] = 0x02;
bsonTypes[TypeOrder.date] = 0x09;
bsonTypes[TypeOrder.boolean] = 0x08;

/** In the key a zero byte is 00 FF, and the end 00 01. */
function writeText(key: Buffer, mask: number): void {
  const length = to;
  to += 4;
  for (;;) {
    const byte = key[at++]! ^ mask;
    if (byte === 0 && (key[at++]! ^ mask) === 1) break;
    out[to++] = byte;
  }
  out[to++] = 0;
  out.writeInt32LE(to - length - 4, length);
}

/** Big-endian with its sign turned in the key, little-endian in BSON. */
function writeDate(key: Buffer, mask: number): void {
  for (let i = 7; i >= 0; i--) out[to + i] = key[at++]! ^ mask;
  out[to + 7] = out[to + 7]! ^ 0x80;
  to += 8;
}
