import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { unreadable } from './unreadable';

/** Ten years of a busy account; whatever is larger is no statement. */
const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * The text of a file that comes in pieces: UTF-8, or from the first byte that is not, Windows-1252 (the older exports of banks), or UTF-16
 * by its byte order mark. Throws `validation` when it is larger than any statement.
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let decoder: TextDecoder | undefined;
  let size = 0;
  // What begins a character that goes on in the next piece.
  let tail: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const isFirst = size === 0;
    size += chunk.length;
    if (size > MAX_BYTES) throw unreadable('it is larger than 1 GiB');
    if (isFirst && chunk[0] === 0xff && chunk[1] === 0xfe) decoder = new TextDecoder('utf-16le');
    if (isFirst && chunk[0] === 0xfe && chunk[1] === 0xff) decoder = new TextDecoder('utf-16be');
    if (decoder) {
      yield decoder.decode(chunk, { stream: true });
      continue;
    }
    const joined = Buffer.concat([tail, chunk]);
    const whole = joined.subarray(0, completeLength(joined));
    if (isUtf8(whole)) {
      yield whole.toString('utf8');
      tail = joined.subarray(whole.length);
    } else {
      decoder = new TextDecoder('windows-1252');
      yield decoder.decode(joined, { stream: true });
      tail = new Uint8Array();
    }
  }
  if (tail.length > 0) yield new TextDecoder('windows-1252').decode(tail);
}

/** How many bytes hold whole UTF-8 characters: at most three at the end begin one that goes on in the next piece. */
function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
