import { CommandError } from '../command-error';

const truncated = (): CommandError => new CommandError('InvalidBSON', 'Invalid BSON: value past the end');

/** The bytes that a value of each type takes where that is fixed, else 255. */
const fixedSizes = new Uint8Array(256).fill(255);
for (const [type, size] of [[0x01, 8], [0x06, 0], [0x07, 12], [0x08, 1], [0x09, 8], [0x0a, 0], [0x10, 4], [0x11, 8], [0x12, 8], [0x13, 16], [0x7f, 0], [0xff, 0]] as const)
  fixedSizes[type] = size; // prettier-ignore

/** Where the value ends that begins at `at`: a document is walked through without decoding what is in it. */
export function valueEnd(bytes: Buffer, type: number, at: number): number {
  const fixed = fixedSizes[type]!;
  if (fixed !== 255) return at + fixed;
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

/** Where the zero byte is that ends the name which begins at `at`. Names are short: a loop is done before a call would have begun. */
export function nameEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] !== 0) if (++end >= bytes.length) throw truncated();
  return end;
}
