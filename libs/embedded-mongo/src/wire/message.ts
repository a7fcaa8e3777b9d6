import { CommandError } from '../command-error';
import { readCommand, readDocument, type RawCommand } from '../bson/read-document';
import { type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';

const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;
export const maxMessageBytes = 48_000_000;

const checksumPresent = 1;
const moreToCome = 2;
const exhaustAllowed = 1 << 16;
/** Bits 0–15 must be understood. */
const requiredBits = 0xffff;

/** One message of a driver, parsed. */
export interface Request extends RawCommand {
  requestId: number;
  opCode: number;
  /** The sender wants no reply. */
  silent: boolean;
  /** The sender takes more replies than it asked for. */
  exhaustAllowed: boolean;
}

/** Takes one whole message apart. Throws CommandError for what can be refused with a reply, with the request's id on it. */
export function parseMessage(message: Buffer): Request {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  try {
    if (opCode === opMsg) return { requestId, opCode, ...parseOpMsg(message) };
    if (opCode === opQuery)
      return {
        requestId,
        opCode,
        silent: false,
        exhaustAllowed: false,
        documents: undefined,
        body: parseOpQuery(message),
      };
    throw new CommandError('ProtocolError', `operation ${opCode} is not supported: this server speaks OP_MSG`);
  } catch (error) {
    throw new MalformedMessage(requestId, opCode, error);
  }
}

/** Carries what is needed to answer a message that could not be taken apart. */
export class MalformedMessage extends Error {
  constructor(
    readonly requestId: number,
    readonly opCode: number,
    override readonly cause: unknown,
  ) {
    super('malformed message');
  }
}

function parseOpMsg(message: Buffer): Omit<Request, 'requestId' | 'opCode'> {
  const flags = message.readUInt32LE(16);
  if (flags & checksumPresent)
    throw new CommandError('ProtocolError', 'message checksums are not supported by this server');
  const unknown = flags & requiredBits & ~(checksumPresent | moreToCome);
  if (unknown) throw new CommandError('ProtocolError', `unknown flags in message: 0x${unknown.toString(16)}`);
  let command: RawCommand | undefined;
  const sequences: { name: string; documents: Buffer[] }[] = [];
  for (let at = 20; at < message.length;) {
    const kind = message[at++]!;
    const size = message.readInt32LE(at);
    if (size < 5 || at + size > message.length)
      throw new CommandError('InvalidBSON', 'a section is longer than its message');
    const section = message.subarray(at, at + size);
    at += size;
    if (kind === 0) {
      if (command) throw new CommandError('ProtocolError', 'a message has one body section');
      command = readCommand(section);
    } else if (kind === 1) sequences.push(parseSequence(section));
    else throw new CommandError('ProtocolError', `unknown section kind ${kind}`);
  }
  if (!command) throw new CommandError('ProtocolError', 'a message needs a body section');
  for (const { name, documents } of sequences) {
    if (name === 'documents') command.documents = documents;
    else command.body[name] = documents.map((bytes) => readDocument(bytes));
  }
  return { ...command, silent: (flags & moreToCome) !== 0, exhaustAllowed: (flags & exhaustAllowed) !== 0 };
}

function parseSequence(section: Buffer): { name: string; documents: Buffer[] } {
  const end = section.indexOf(0, 4);
  if (end < 0) throw new CommandError('InvalidBSON', 'a document sequence needs a name');
  const documents: Buffer[] = [];
  for (let at = end + 1; at < section.length;) {
    const size = section.readInt32LE(at);
    if (size < 5 || at + size > section.length)
      throw new CommandError('InvalidBSON', 'a document is longer than its sequence');
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  return { name: section.toString('utf8', 4, end), documents };
}

/** The legacy query message, which drivers still use for their first hello. */
function parseOpQuery(message: Buffer): Doc {
  const end = message.indexOf(0, 20);
  const namespace = message.toString('utf8', 20, end);
  if (!namespace.endsWith('.$cmd'))
    throw new CommandError(
      'Location5739101',
      'OP_QUERY is no longer supported. The client driver may require an upgrade.',
    );
  const query = readDocument(message, end + 9);
  const command = (query.$query ?? query.query ?? query) as Doc;
  return { ...command, $db: namespace.slice(0, -'.$cmd'.length) };
}

let lastRequestId = 0;

/** A reply as bytes, and its id; `more` when further replies follow without being asked for. */
export function encodeReply(
  opCode: number,
  responseTo: number,
  document: Buffer,
  more = false,
): { id: number; bytes: Buffer } {
  const head = Buffer.alloc(opCode === opQuery ? 36 : 21);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE((lastRequestId = (lastRequestId + 1) & 0x7fffffff), 4);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(opCode === opQuery ? opReply : opMsg, 12);
  if (opCode === opQuery) {
    head.writeInt32LE(8, 16); // AwaitCapable, as every server since 1.6 says
    head.writeInt32LE(1, 32);
  } else if (more) head.writeUInt32LE(moreToCome, 16);
  return { id: lastRequestId, bytes: Buffer.concat([head, document]) };
}

/** A cursor's answer, its documents still encoded. */
export class CursorReply {
  constructor(
    readonly namespace: string,
    readonly id: bigint,
    readonly part: 'firstBatch' | 'nextBatch',
    readonly batch: Buffer[],
    private readonly extra: Doc = {},
  ) {}

  /** The same with further fields beside the cursor. */
  with(fields: Doc): CursorReply {
    return new CursorReply(this.namespace, this.id, this.part, this.batch, { ...this.extra, ...fields });
  }

  /** `fields`: encoded fields that the reply ends with. */
  encode(fields: Buffer): Buffer {
    const extra = writeDocument(this.extra).subarray(4, -1);
    let arrayBytes = 5;
    for (let i = 0; i < this.batch.length; i++) arrayBytes += itemName(i).length + this.batch[i]!.length;
    const part = Buffer.from(`\x04${this.part}\0`, 'latin1');
    const namespace = Buffer.from(`${this.namespace}\0`);
    const cursorBytes = 4 + part.length + arrayBytes + idField.length + 8 + nsField.length + 4 + namespace.length + 1;
    const around = 4 + cursorField.length + okField.length + extra.length + fields.length + 1;
    const bytes = Buffer.allocUnsafe(around + cursorBytes);
    let at = 0;
    const size = (value: number): void => void (at = bytes.writeInt32LE(value, at));
    const put = (piece: Buffer): void => void (at += piece.copy(bytes, at));
    size(bytes.length);
    put(cursorField);
    size(cursorBytes);
    put(part);
    size(arrayBytes);
    for (let i = 0; i < this.batch.length; i++) {
      put(itemName(i));
      put(this.batch[i]!);
    }
    put(zero);
    put(idField);
    at = bytes.writeBigInt64LE(this.id, at);
    put(nsField);
    size(namespace.length);
    put(namespace);
    put(zero);
    put(okField);
    put(extra);
    put(fields);
    put(zero);
    return bytes;
  }
}

const itemNames: Buffer[] = [];

/** What an item of an array begins with, when it is a document: of a batch as drivers ask for it, made once. */
function itemName(i: number): Buffer {
  const known = itemNames[i];
  if (known) return known;
  const name = Buffer.from(`\x03${i}\0`, 'latin1');
  if (i === itemNames.length && i < 1_024) itemNames.push(name);
  return name;
}

const idField = Buffer.from('\x12id\0', 'latin1');
const nsField = Buffer.from('\x02ns\0', 'latin1');
const cursorField = Buffer.from('\x03cursor\0', 'latin1');
const zero = Buffer.from([0]);
const okField = Buffer.from('\x01ok\0\0\0\0\0\0\0\xf0\x3f', 'latin1');
