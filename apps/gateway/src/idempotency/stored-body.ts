import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { type Binary } from '@invoicing/mongo';

/** The body of an answer as it is stored: as text, or packed (Brotli, RFC 7932). */
export interface StoredBody {
  readonly body: string | null;
  /** Absent or null: not packed. */
  readonly packed?: Buffer | Binary | null | undefined;
}

// Most answers are shorter, and are not worth the work.
const PACKED_FROM = 1_024;
const QUALITY = 5;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** The long ones packed: what a document says in hundreds of lines is mostly the same again. Unpacks to the same bytes. */
export async function packBody(text: string): Promise<{ body: string | null; packed: Buffer | null }> {
  if (text.length < PACKED_FROM) return { body: text, packed: null };
  const bytes = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return { body: null, packed: await compress(bytes, { params }) };
}

/** The text of it; null while there is none. */
export async function unpackBody({ body, packed }: StoredBody): Promise<string | null> {
  if (!packed) return body;
  return (await decompress(packed instanceof Uint8Array ? packed : packed.buffer)).toString('utf8');
}
