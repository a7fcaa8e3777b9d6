import { serialize } from 'bson';
import { type Doc } from './value';

export const maxDocumentBytes = 16 * 1024 * 1024;

/** Encodes a document. The result owns its memory and may be kept. */
export function writeDocument(doc: Doc): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
