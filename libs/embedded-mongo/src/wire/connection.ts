import { type Socket } from 'node:net';
import { Double } from 'bson';
import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';
import { ConnectionClosed } from '../replication/fail-points';
import { writeDocument } from '../bson/write-document';
import { type Peer } from './peer';
import { CursorReply, encodeReply, MalformedMessage, maxMessageBytes, parseMessage, type Request } from './message';

/** What a command answers. */
export type Reply = Doc | CursorReply;

/** What answers a connection's commands. */
export interface Service {
  execute: (request: Request, peer: Peer) => Promise<Reply>;
  /** Encoded fields that every reply ends with. */
  replyFields: () => Buffer;
}

/** How many bytes of replies may wait for a slow reader before its next command is looked at. */
const maxUnsentBytes = 32 * 1024 * 1024;

/** What a server counts of all its connections. */
export interface Traffic {
  bytesIn: number;
  bytesOut: number;
  numRequests: number;
}

/** One client: frames messages and answers commands in their order, one at a time. */
export class Connection {
  private chunks: Buffer[] = [];
  private received = 0;
  private working = false;
  private ended = false;
  private readonly gone = new AbortController();
  private readonly peer: Peer;

  constructor(
    private readonly socket: Socket,
    id: number,
    private readonly service: Service,
    private readonly log: (line: object) => void,
    private readonly traffic: Traffic,
  ) {
    this.peer = { id, address: addressOf(socket), closed: this.gone.signal };
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      this.chunks.push(chunk);
      this.received += chunk.length;
      if (!this.working) void this.work();
      else if (this.received > maxMessageBytes) this.socket.pause();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.ended = true;
      this.gone.abort();
    });
  }

  close(): void {
    this.ended = true;
    this.socket.destroy();
  }

  private async work(): Promise<void> {
    this.working = true;
    try {
      for (let message = this.nextMessage(); message && !this.ended; message = this.nextMessage())
        await this.answer(message);
    } catch (error) {
      this.log({ msg: 'connection closed', reason: (error as Error).message });
      this.close();
    }
    this.working = false;
    if (!this.ended && this.socket.isPaused()) this.socket.resume();
  }

  private nextMessage(): Buffer | undefined {
    if (this.received < 16) return undefined;
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
    const buffer = this.chunks[0]!;
    const size = buffer.readInt32LE(0);
    if (size < 16 || size > maxMessageBytes) throw new Error(`a message of ${size} bytes`);
    if (buffer.length < size) return undefined;
    this.chunks = buffer.length > size ? [buffer.subarray(size)] : [];
    this.received -= size;
    return buffer.subarray(0, size);
  }

  private async answer(message: Buffer): Promise<void> {
    this.traffic.numRequests++;
    this.traffic.bytesIn += message.length;
    let request: Request;
    try {
      request = parseMessage(message);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.send(error.opCode, error.requestId, this.failure(error.cause));
      this.socket.end();
      this.ended = true;
      return;
    }
    const reply = await this.reply(request);
    if (!reply) return this.close();
    if (!request.silent && !this.streams(request, reply)) this.send(request.opCode, request.requestId, reply);
    else if (!request.silent) await this.stream(request, reply);
    if (this.socket.writableLength > maxUnsentBytes) await this.drained();
  }

  /** Undefined: the client is to get no answer. */
  private reply(request: Request): Promise<Reply | undefined> {
    return this.service
      .execute(request, this.peer)
      .catch((error: unknown) => (error instanceof ConnectionClosed ? undefined : this.failure(error)));
  }

  /** A client that waits for the next change of topology is told again and again without asking. */
  private streams({ exhaustAllowed, body }: Request, reply: Reply): boolean {
    return exhaustAllowed && body.topologyVersion !== undefined && 'topologyVersion' in reply && reply.ok !== 0;
  }

  private async stream(request: Request, first: Reply): Promise<void> {
    let responseTo = request.requestId;
    for (let reply: Reply | undefined = first; !this.ended; reply = await this.reply(request)) {
      if (!reply) return this.close();
      const goesOn = this.streams(request, reply);
      responseTo = this.send(request.opCode, responseTo, reply, goesOn);
      if (!goesOn) return;
      request.body.topologyVersion = (reply as Doc).topologyVersion!;
    }
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.socket.off('drain', done).off('close', done);
        resolve();
      };
      this.socket.on('drain', done).on('close', done);
    });
  }

  /** The id of the reply. */
  private send(opCode: number, requestId: number, reply: Reply, more = false): number {
    const { id, bytes } = encodeReply(opCode, requestId, encode(reply, this.service.replyFields()), more);
    this.traffic.bytesOut += bytes.length;
    if (!this.ended && !this.socket.destroyed) this.socket.write(bytes);
    return id;
  }

  private failure(error: unknown): Doc {
    if (error instanceof CommandError) return error.toReply();
    this.log({ msg: 'command failed', error: (error as Error).stack ?? String(error) });
    return new CommandError('InternalError', `internal error: ${(error as Error).message}`).toReply();
  }
}

function encode(reply: Reply, fields: Buffer): Buffer {
  if (reply instanceof CursorReply) return reply.encode(fields);
  const document = writeDocument({ ...reply, ok: new Double(reply.ok === 0 ? 0 : 1) });
  const whole = Buffer.concat([document.subarray(0, -1), fields, document.subarray(-1)]);
  whole.writeInt32LE(whole.length);
  return whole;
}

/** Where the client reached this server, as a host of a connection string. */
function addressOf({ localAddress, localPort }: Socket): string {
  if (localAddress === undefined) return 'localhost'; // a unix socket
  const host = localAddress.replace(/^::ffff:/, '');
  return `${host.includes(':') ? `[${host}]` : host}:${localPort}`;
}
