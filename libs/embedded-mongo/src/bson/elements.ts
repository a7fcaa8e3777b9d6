import { CommandError } from '../command-error';

const truncated = (): CommandError => new CommandError('InvalidBSON', 'Invalid BSON: value past the end');

/** The bytes that a value of each type takes where that is fixed. */
const fixedSizes = new Map([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0],
]);

/** Where the value ends that begins at `at`: a document is walked through without decoding what is in it. */
export function valueEnd(bytes: Buffer, type: number, at: number): number {
  const fixed = fixedSizes.get(type);
  if (fixed !== undefined) return at + fixed;
  switch (type) {
    case 0x02:
    case 0x0d:
    case 0x0e:
      return at + 4 + bytes.readInt32LE(at);
    case 0x03:
    case 0x04:
    case 0x0f:
      return at + bytes.readInt32LE(at);
    case 0x05:
      return at + 5 + bytes.readInt32LE(at);
    case 0x0b:
      return nameEnd(bytes, nameEnd(bytes, at) + 1) + 1;
    default:
      throw new CommandError('InvalidBSON', `Invalid BSON: type 0x${type.toString(16)} is not supported`);
  }
}

/** Where the zero byte is that ends the name which begins at `at`. */
export function nameEnd(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0, at);
  if (end < 0) throw truncated();
  return end;
}

/** A field's name as its bytes are, one character a byte: what a name is compared by without decoding it. */
export const rawName = (name: string): string => Buffer.from(name).toString('latin1');
