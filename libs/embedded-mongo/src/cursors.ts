import { randomBytes } from 'node:crypto';
import { CommandError } from './command-error';
import { type Store } from './storage/store';
import { CursorReply } from './wire/message';

/** Documents as they come; undefined is a point at which others may be let in. */
export type Stream<T> = Iterator<T | undefined>;

interface Cursor {
  namespace: string;
  stream: Stream<Buffer>;
  /** Read but not yet sent: it did not fit into the last reply. */
  held: Buffer | undefined;
  /** How many more the command asked for: at none the cursor is closed, without another request that finds nothing. */
  left: number;
  usedAt: number;
  busy: boolean;
  deadline: number;
  /** The session it was opened in. */
  session: string | undefined;
}

/** How much of a cursor one reply carries, and for whom it is. */
export interface Batch {
  /** Undefined: as many as fit into a reply. */
  batchSize: number | undefined;
  /** Of the whole cursor; undefined or 0: without end. */
  limit?: number | undefined;
  singleBatch?: boolean;
  maxTimeMs?: number | undefined;
  session?: string | undefined;
}

const maxBatchBytes = 16 * 1024 * 1024;
const idleMs = 10 * 60_000;
const sliceMs = 10;
const maxCursors = 10_000;

/** Open cursors. A cursor holds where it is, not what it will find: memory does not grow with the result. */
export class Cursors {
  private readonly open = new Map<bigint, Cursor>();

  constructor(private readonly store: Store) {}

  /** The first batch of a stream, and a cursor for the rest when there is more. */
  async start(
    namespace: string,
    stream: Stream<Buffer>,
    { batchSize, limit, singleBatch, maxTimeMs, session }: Batch,
  ): Promise<CursorReply> {
    const deadline = maxTimeMs ? performance.now() + maxTimeMs : Infinity;
    const left = limit || Infinity;
    const cursor = { namespace, stream, held: undefined, left, usedAt: Date.now(), busy: true, deadline, session };
    const { batch, finished } = await this.fill(cursor, batchSize ?? 101);
    if (finished || singleBatch) {
      stream.return?.();
      return new CursorReply(namespace, 0n, 'firstBatch', batch);
    }
    return new CursorReply(namespace, this.keep(cursor), 'firstBatch', batch);
  }

  async more(id: bigint, namespace: string, batchSize: number | undefined): Promise<CursorReply> {
    const cursor = this.open.get(id);
    if (!cursor) throw new CommandError('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.namespace !== namespace) {
      throw new CommandError(
        'Unauthorized',
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    if (cursor.busy) throw new CommandError('CursorInUse', `cursor id ${id} is already in use`);
    cursor.busy = true;
    try {
      const { batch, finished } = await this.fill(cursor, batchSize ?? Infinity);
      if (finished) this.kill(id);
      return new CursorReply(namespace, finished ? 0n : id, 'nextBatch', batch);
    } catch (error) {
      this.open.delete(id);
      throw error;
    } finally {
      cursor.busy = false;
      cursor.usedAt = Date.now();
    }
  }

  kill(id: bigint): boolean {
    this.open.get(id)?.stream.return?.();
    return this.open.delete(id);
  }

  /** Closes what a session has open. */
  killOf(session: string): void {
    for (const [id, cursor] of this.open) if (cursor.session === session) this.kill(id);
  }

  get count(): number {
    return this.open.size;
  }

  /** Forgets cursors that nobody has asked for in ten minutes. */
  sweep(now = Date.now()): void {
    for (const [id, cursor] of this.open) if (!cursor.busy && now - cursor.usedAt > idleMs) this.kill(id);
  }

  clear(): void {
    for (const id of [...this.open.keys()]) this.kill(id);
  }

  private keep(cursor: Cursor): bigint {
    if (this.open.size >= maxCursors) this.sweep();
    if (this.open.size >= maxCursors) throw new CommandError('BadValue', `too many open cursors: ${maxCursors}`);
    const id = randomBytes(8).readBigInt64BE() & 0x7fffffffffffffffn || 1n;
    cursor.busy = false;
    this.open.set(id, cursor);
    return id;
  }

  private async fill(cursor: Cursor, limit: number): Promise<{ batch: Buffer[]; finished: boolean }> {
    const batch: Buffer[] = [];
    let bytes = 0;
    this.store.epoch++;
    let sliceEnd = performance.now() + sliceMs;
    if (limit === 0) return { batch, finished: false };
    for (;;) {
      const next = cursor.held ? { done: false, value: cursor.held } : cursor.stream.next();
      cursor.held = undefined;
      if (next.done) return { batch, finished: true };
      if (next.value === undefined) {
        const now = performance.now();
        if (now > cursor.deadline) throw new CommandError('MaxTimeMSExpired', 'operation exceeded time limit');
        if (now < sliceEnd) continue;
        await new Promise((resolve) => setImmediate(resolve));
        this.store.epoch++;
        sliceEnd = performance.now() + sliceMs;
        continue;
      }
      if (batch.length > 0 && bytes + next.value.length > maxBatchBytes) {
        cursor.held = next.value;
        return { batch, finished: false };
      }
      batch.push(next.value);
      bytes += next.value.length;
      if (--cursor.left === 0) return { batch, finished: true };
      if (batch.length >= limit) return { batch, finished: false };
    }
  }
}
