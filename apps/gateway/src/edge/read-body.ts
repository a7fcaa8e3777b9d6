import { type IncomingMessage } from 'node:http';
import { EdgeError, validation } from './edge-error';

const BODY_LIMIT_BYTES = 1024 * 1024;
const DROP_LIMIT_BYTES = 16 * BODY_LIMIT_BYTES;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The body as parsed JSON. Only plain `application/json` in UTF-8: what is compressed is refused, so nothing can blow up.
 * Throws 415, 413 and 400.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
  const empty = length === '0' || (length === undefined && request.headers['transfer-encoding'] === undefined);
  if (!empty && (!JSON_TYPE.test(type ?? '') || (encoding !== undefined && encoding.toLowerCase() !== 'identity')))
    throw new EdgeError('unsupported_media_type');
  const bytes = await readAll(request);
  if (bytes.length === 0) throw validation([{ path: '', message: 'a JSON body is required' }]);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new EdgeError('validation', { details: [{ path: '', message: 'must be valid JSON' }], cause: error });
  }
}

function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let ended = false;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
      // What is too large is read on and dropped, so that a client that is still sending gets to see the answer; but not for ever.
      else if (size > DROP_LIMIT_BYTES) {
        request.removeAllListeners('data').pause();
        reject(new EdgeError('payload_too_large', { headers: { connection: 'close' } }));
      } else chunks.length = 0;
    });
    request.once('end', () => {
      ended = true;
      if (size > BODY_LIMIT_BYTES) reject(new EdgeError('payload_too_large'));
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.once('error', reject);
    request.once('close', () => {
      if (!ended) reject(validation([{ path: '', message: 'the body ended too soon' }]));
    });
  });
}
