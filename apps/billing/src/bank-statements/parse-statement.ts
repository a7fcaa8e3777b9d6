import type { StatementPart } from './bank-line';
import { decodeText } from './decode-text';
import { parseCamt053 } from './parse-camt053';
import { parseCsv } from './parse-csv';
import { parseMt940 } from './parse-mt940';
import { unreadable } from './unreadable';

const SNIFFED = 2_048;

/** A statement file that comes in pieces, whatever its format; the format is known by how it begins. Throws `validation`. */
export async function* parseStatement(chunks: AsyncIterable<Uint8Array>): AsyncIterable<StatementPart> {
  const texts = decodeText(chunks)[Symbol.asyncIterator]();
  let start = '';
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    start += next.value;
    if (start.length >= SNIFFED) break;
  }
  const text = joined(start, texts);
  const head = start.replace(/^\uFEFF/, '').trimStart();
  if (head === '') throw unreadable('it is empty');
  if (head.startsWith('PK')) throw unreadable('it is a zip: unpack it first');
  if (head.startsWith('<')) yield* parseCamt053(text);
  else if (/(^|\n|\})\s*:20:/.test(head)) yield* parseMt940(text);
  else yield* parseCsv(text, head);
}

async function* joined(start: string, rest: AsyncIterator<string>): AsyncIterable<string> {
  yield start.replace(/^\uFEFF/, '');
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
