import { type Binary, type BSONRegExp, type BSONSymbol, type Code, type ObjectId, type Timestamp } from 'bson';
import { activeCollation } from './collation';
import { plainNumber } from './compare';
import { writeNumberKey } from './number-key';
import { typeOrder, TypeOrder, type Doc, type Value } from './value';

/**
 * Encodes values so that comparing the bytes is comparing the values (compareValues), and equal values give equal bytes.
 * Every encoding is self-delimiting: the encodings of several fields can follow each other; a descending field's bytes are inverted.
 */
export class KeyWriter {
  private bytes = Buffer.allocUnsafe(512);
  private at = 0;

  /** `collated`: text counts as the command's collation has it. Never for keys that are stored. */
  constructor(private readonly collated = false) {}

  reset(): this {
    this.at = 0;
    return this;
  }

  /** A copy of what was written. */
  take(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.at));
  }

  writeField(value: Value | undefined, descending: boolean): this {
    const start = this.at;
    this.writeValue(value);
    if (descending) for (let i = start; i < this.at; i++) this.bytes[i] = this.bytes[i]! ^ 0xff;
    return this;
  }

  private room(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    const bigger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + size));
    this.bytes.copy(bigger, 0, 0, this.at);
    this.bytes = bigger;
  }

  private writeByte(byte: number): void {
    this.room(1);
    this.bytes[this.at++] = byte;
  }

  private writeRaw(raw: Uint8Array): void {
    this.room(raw.length);
    this.bytes.set(raw, this.at);
    this.at += raw.length;
  }

  private writeString(text: string): void {
    const collation = this.collated ? activeCollation() : undefined;
    this.writeText(collation ? collation.label(text) : text);
  }

  /** UTF-8, a zero byte as 00 FF, ended by 00 01: a prefix sorts before what it begins. */
  private writeText(text: string): void {
    this.room(text.length * 3 + 2);
    if (text.includes('\0')) {
      for (const byte of Buffer.from(text)) {
        this.writeByte(byte);
        if (byte === 0) this.writeByte(0xff);
      }
      this.room(2);
    } else {
      this.at += this.bytes.write(text, this.at);
    }
    this.bytes[this.at++] = 0;
    this.bytes[this.at++] = 1;
  }

  private writeBigUint64(value: bigint): void {
    this.room(8);
    this.at = this.bytes.writeBigUInt64BE(value, this.at);
  }

  private writeValue(value: Value | undefined): void {
    const type = typeOrder(value);
    this.writeByte(type);
    this.writePayload(type, value as Value);
  }

  private writePayload(type: number, value: Value): void {
    switch (type) {
      case TypeOrder.number:
        this.room(28);
        this.at = writeNumberKey(this.bytes, this.at, plainNumber(value));
        return;
      case TypeOrder.string:
        return this.writeString(typeof value === 'string' ? value : (value as BSONSymbol).value);
      case TypeOrder.object:
        return this.writeDoc(value as Doc);
      case TypeOrder.array:
        for (const item of value as Value[]) this.writeValue(item);
        return this.writeByte(0);
      case TypeOrder.binary:
        return this.writeBinary(value as Binary);
      case TypeOrder.objectId:
        return this.writeRaw((value as ObjectId).id);
      case TypeOrder.boolean:
        return this.writeByte(value ? 1 : 0);
      case TypeOrder.date:
        return this.writeBigUint64(BigInt.asUintN(64, BigInt((value as Date).getTime() || 0)) ^ (1n << 63n));
      case TypeOrder.timestamp:
        return this.writeBigUint64((value as Timestamp).toBigInt());
      case TypeOrder.regex:
        this.writeText((value as BSONRegExp).pattern);
        return this.writeText((value as BSONRegExp).options);
      case TypeOrder.code:
        return this.writeText((value as Code).code);
      case TypeOrder.codeWithScope:
        this.writeText((value as Code).code);
        return this.writeDoc((value as Code).scope as Doc);
    }
  }

  private writeDoc(doc: Doc): void {
    for (const name of Object.keys(doc)) {
      const value = doc[name]!;
      const type = typeOrder(value);
      this.writeByte(type);
      this.writeText(name);
      this.writePayload(type, value);
    }
    this.writeByte(0);
  }

  private writeBinary(value: Binary): void {
    this.room(5);
    this.at = this.bytes.writeUInt32BE(value.position, this.at);
    this.bytes[this.at++] = value.sub_type;
    this.writeRaw(value.value());
  }
}

const writer = new KeyWriter();

const collatedWriter = new KeyWriter(true);

/** Equal bytes for values that are equal under the command's collation: for groups and sets. */
export const groupKey = (value: Value | undefined): string =>
  collatedWriter.reset().writeField(value, false).take().toString('latin1');

/** The key bytes of one ascending value. */
export const valueKey = (value: Value | undefined): Buffer => writer.reset().writeField(value, false).take();
