import { type Doc } from '../bson/value';
import { execute } from '../plan/execute';
import { choosePlan } from '../plan/choose-plan';
import { compileFilter } from '../query/compile-filter';
import { expiredRecords, isExpired } from '../replication/retryable-writes';
import { droppedOf, droppedRange, type Catalog } from './catalog';
import { type Collection, type Index } from './collection';
import { DocumentWriter } from './document-writer';
import { prefixRange } from './keys';
import { type Store } from './store';
import { type WriteQueue } from './write-queue';

/** How many keys or documents one write removes, so that it holds up nobody for long. */
const piece = 500;

/** What the sweeper works on. */
export interface Swept {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly writes: WriteQueue;
  readonly cursors: { sweep: () => void };
  readonly sessions: { sweep: () => void };
}

/** Removes what has expired, and what dropped collections and indexes left behind, a piece at a time. */
export class Sweeper {
  private timer: NodeJS.Timeout;
  private sweeping: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly engine: Swept,
    intervalMs: number,
    private readonly log: (line: object) => void,
  ) {
    this.timer = this.startTimer(intervalMs);
  }

  every(intervalMs: number): void {
    clearInterval(this.timer);
    this.timer = this.startTimer(intervalMs);
  }

  private startTimer(intervalMs: number): NodeJS.Timeout {
    return setInterval(() => void this.sweepNow(), intervalMs).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Sweeps, or waits for the sweep that is on its way. */
  sweepNow(): Promise<void> {
    this.sweeping ??= this.sweep()
      .catch((error: unknown) => this.log({ msg: 'sweep failed', error: String(error) }))
      .finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  private async sweep(): Promise<void> {
    this.engine.cursors.sweep();
    this.engine.sessions.sweep();
    for (const collection of this.engine.catalog.visible.values()) {
      for (const index of collection.indexes) {
        if (index.expireAfterSeconds !== undefined) await this.expire(collection, index);
      }
    }
    await this.removeDropped();
    await this.forgetSessions();
  }

  /** A document goes when the indexed date, or the earliest of an array, is too old; without a date it stays. */
  private async expire({ db, name }: Collection, { slot, expireAfterSeconds = 0 }: Index): Promise<void> {
    let removed = piece;
    while (removed === piece && !this.stopped) {
      removed = await this.engine.writes.run((transaction) => {
        const collection = transaction.collection(db, name);
        const index = collection?.indexes.find((other) => other.slot === slot);
        if (!collection || !index) return 0;
        const path = index.fields[0]!.path;
        const filter: Doc = { [path]: { $lt: new Date(Date.now() - expireAfterSeconds * 1000) } };
        const plan = choosePlan(collection, { filter, hint: index });
        const found = [];
        for (const match of execute(transaction.store, collection, plan, compileFilter(filter), { keys: 0, docs: 0 })) {
          if (match && found.push(match) === piece) break;
        }
        const writer = new DocumentWriter(transaction, collection);
        for (const { record, bytes } of found) writer.remove(record, bytes);
        return found.length;
      });
    }
  }

  /** What a session wrote last can no longer be asked for. */
  private async forgetSessions(): Promise<void> {
    const expired = [...expiredRecords(this.engine.store)];
    for (let i = 0; i < expired.length && !this.stopped; i += piece) {
      await this.engine.writes.run((transaction) => {
        for (const { key } of expired.slice(i, i + piece)) {
          const now = transaction.store.get(key);
          if (now && isExpired(now)) transaction.remove(key, now);
        }
      });
    }
  }

  private async removeDropped(): Promise<void> {
    for (const marker of [...this.engine.store.keys(droppedRange)]) {
      let removed = piece;
      while (removed === piece && !this.stopped) {
        removed = await this.engine.writes.run(({ store }) => {
          const keys = [];
          for (const key of store.keys(prefixRange(droppedOf(marker)), false, piece))
            if (keys.push(key) === piece) break;
          for (const key of keys) store.remove(key);
          if (keys.length < piece) store.remove(marker);
          return keys.length;
        });
      }
    }
  }
}
