import { type Socket } from 'node:net';
import { Double } from 'bson';
import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { CursorReply, encodeReply, MalformedMessage, maxMessageBytes, parseMessage, type Request } from './message';

export type Reply = Doc | CursorReply;
export type Execute = (request: Request, connectionId: number) => Promise<Reply>;

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

  constructor(
    private readonly socket: Socket,
    private readonly id: number,
    private readonly execute: Execute,
    private readonly log: (line: object) => void,
    private readonly traffic: Traffic,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      this.chunks.push(chunk);
      this.received += chunk.length;
      if (!this.working) void this.work();
      else if (this.received > maxMessageBytes) this.socket.pause();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => (this.ended = true));
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
    const reply = await this.execute(request, this.id).catch((error: unknown) => this.failure(error));
    if (!request.silent) this.send(request.opCode, request.requestId, reply);
    if (this.socket.writableLength > maxUnsentBytes) await this.drained();
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

  private send(opCode: number, requestId: number, reply: Reply): void {
    if (this.ended || this.socket.destroyed) return;
    const bytes = encodeReply(opCode, requestId, encode(reply));
    this.traffic.bytesOut += bytes.length;
    this.socket.write(bytes);
  }

  private failure(error: unknown): Doc {
    if (error instanceof CommandError) return error.toReply();
    this.log({ msg: 'command failed', error: (error as Error).stack ?? String(error) });
    return new CommandError('InternalError', `internal error: ${(error as Error).message}`).toReply();
  }
}

function encode(reply: Reply): Buffer {
  if (reply instanceof CursorReply) return reply.encode();
  return writeDocument({ ...reply, ok: new Double(reply.ok === 0 ? 0 : 1) });
}
