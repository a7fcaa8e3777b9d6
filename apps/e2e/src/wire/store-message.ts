import * as BSON from 'bson';

// MongoDB's wire protocol, as far as a proxy needs it: where messages end, which command one carries, and an answer of our own.

const HEADER_BYTES = 16;
const OP_MSG = 2013;

/** One whole message, with what its header says. */
export interface Message {
  readonly bytes: Buffer;
  readonly requestId: number;
  readonly responseTo: number;
}

/** Cuts a stream of bytes into messages: give it each chunk as it comes. */
export function messageCutter(): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const bytes = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(bytes.length);
      messages.push({ bytes, requestId: bytes.readInt32LE(4), responseTo: bytes.readInt32LE(8) });
    }
    return messages;
  };
}

/** A write that a driver sends. */
export interface WriteCommand {
  /** `insert`, `update`, `delete` or `findAndModify`. */
  readonly name: string;
  /** `database.collection`. */
  readonly namespace: string;
  /** The same where a driver sends the same write again; undefined where it would not. */
  readonly retryKey: string | undefined;
  /** What it changes: operators and the fields that they name. */
  readonly shape: string;
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];

/** The write in a message, or undefined when it carries none. */
export function writeIn({ bytes }: Message): WriteCommand | undefined {
  if (bytes.readInt32LE(12) !== OP_MSG) return undefined;
  let body: BSON.Document | undefined;
  let sequence: BSON.Document[] = [];
  for (let at = HEADER_BYTES + 4; at < bytes.length;) {
    const kind = bytes[at++];
    const section = bytes.subarray(at, at + bytes.readInt32LE(at));
    at += section.length;
    if (kind === 0) body = BSON.deserialize(section);
    else sequence = documentsOf(section);
  }
  const name = Object.keys(body ?? {})[0] ?? '';
  if (!body || !WRITES.includes(name)) return undefined;
  const changes = name === 'update' ? (body['updates'] ?? sequence) : [];
  return {
    name,
    namespace: `${body['$db']}.${body[name]}`,
    retryKey: body['txnNumber'] === undefined ? undefined : `${body['lsid'].id.toString('hex')}:${body['txnNumber']}`,
    shape: name === 'findAndModify' ? shapeOf(body['update'] ?? {}) : shapeOf(changes[0]?.['u'] ?? {}),
  };
}

function documentsOf(section: Buffer): BSON.Document[] {
  const found: BSON.Document[] = [];
  for (let at = section.indexOf(0, 4) + 1; at < section.length; at += section.readInt32LE(at))
    found.push(BSON.deserialize(section.subarray(at, at + section.readInt32LE(at))));
  return found;
}

const shapeOf = (update: BSON.Document | BSON.Document[]): string =>
  Array.isArray(update)
    ? 'pipeline'
    : Object.entries(update)
        .map(([operator, fields]) => {
          const names = Object.keys((fields ?? {}) as object).map((path) => path.split('.')[0]!);
          return `${operator} ${[...new Set(names)].sort().join(' ')}`;
        })
        .join(', ');

let lastId = 1_000_000;

/** An answer to a message, as the server would send it. */
export function answerTo(requestId: number, document: BSON.Document): Buffer {
  const body = BSON.serialize(document);
  const bytes = Buffer.alloc(HEADER_BYTES + 5 + body.length);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(++lastId, 4);
  bytes.writeInt32LE(requestId, 8);
  bytes.writeInt32LE(OP_MSG, 12);
  bytes.set(body, HEADER_BYTES + 5);
  return bytes;
}

/** The same answer with fields added. */
export const withFields = ({ bytes, responseTo }: Message, fields: BSON.Document): Buffer =>
  answerTo(responseTo, { ...BSON.deserialize(bytes.subarray(HEADER_BYTES + 5)), ...fields });
