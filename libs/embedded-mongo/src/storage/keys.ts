import { crc32 } from 'node:zlib';
import { type KeyRange } from './store';

/**
 * Layout: collection number (4 bytes), then a slot (2 bytes): 0 holds the documents by record number (6 bytes), the last one their
 * checksums by the same number, the others hold an index each. Collection 0 is the catalog.
 */
export const documentSlot = 0;
export const checksumSlot = 0xffff;
export const recordBytes = 6;
export const maxRecord = 2 ** 48 - 1;

/** What every key of a collection's documents (slot 0) or of one of its indexes begins with. */
export function slotPrefix(collection: number, slot: number): Buffer {
  const prefix = Buffer.allocUnsafe(6);
  prefix.writeUInt32BE(collection, 0);
  prefix.writeUInt16BE(slot, 4);
  return prefix;
}

/** The key of a document by its record number. */
export function documentKey(collection: number, record: number): Buffer {
  const key = Buffer.allocUnsafe(12);
  key.writeUInt32BE(collection, 0);
  key.writeUInt16BE(documentSlot, 4);
  key.writeUIntBE(record, 6, recordBytes);
  return key;
}

/** The key of a document's checksum. */
export function checksumKey(collection: number, record: number): Buffer {
  const key = documentKey(collection, record);
  key.writeUInt16BE(checksumSlot, 4);
  return key;
}

/** What is kept beside a document so that a bit of it that changes by itself is seen: its CRC-32. */
export function checksumOf(document: Buffer): Buffer {
  const value = Buffer.allocUnsafe(4);
  value.writeUInt32BE(crc32(document));
  return value;
}

/** The record number that a document's key or an index's value ends with. */
export const recordOf = (key: Buffer): number => key.readUIntBE(key.length - recordBytes, recordBytes);

/** The record that an entry of a unique index holds; what follows are the codes of its key. */
export const recordOfValue = (value: Buffer): number => value.readUIntBE(0, recordBytes);

/** A record number as an index's value. */
export function recordValue(record: number): Buffer {
  const value = Buffer.allocUnsafe(recordBytes);
  value.writeUIntBE(record, 0, recordBytes);
  return value;
}

/** The least key above every key that begins with the prefix. */
export function afterPrefix(prefix: Buffer): Buffer {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length--;
  const next = Buffer.from(prefix.subarray(0, length));
  if (length > 0) next[length - 1] = next[length - 1]! + 1;
  return next;
}

/** All keys that begin with a prefix. */
export const prefixRange = (prefix: Buffer): KeyRange => ({ start: prefix, end: afterPrefix(prefix) });

/** All documents of a collection. */
export const documentRange = (collection: number): KeyRange => prefixRange(slotPrefix(collection, documentSlot));
