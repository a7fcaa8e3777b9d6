import { Catalog } from './storage/catalog';
import { namespaceOf, type Collection } from './storage/collection';
import { Store } from './storage/store';
import { Sweeper } from './storage/sweeper';
import { WriteQueue } from './storage/write-queue';
import { Cursors } from './cursors';
import { Metrics } from './metrics';
import { RecentLog } from './recent-log';

export interface EngineOptions {
  ttlIntervalMs?: number;
  log?: (line: object) => void;
}

/** Everything that commands work on. */
export class Engine {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly writes: WriteQueue;
  readonly cursors: Cursors;
  readonly sweeper: Sweeper;
  readonly startedAt = new Date();
  readonly metrics = new Metrics();
  readonly recentLog: RecentLog;

  constructor(folder: string, { ttlIntervalMs = 60_000, log = () => undefined }: EngineOptions = {}) {
    this.recentLog = new RecentLog(log);
    this.store = new Store(folder);
    this.catalog = new Catalog(this.store);
    this.writes = new WriteQueue(this.store, this.catalog);
    this.cursors = new Cursors(this.store);
    this.sweeper = new Sweeper(this, ttlIntervalMs, this.recentLog.write);
  }

  /** As readers see it: only what is durable. */
  collection(db: string, name: string): Collection | undefined {
    return this.catalog.visible.get(namespaceOf(db, name));
  }

  async close(): Promise<void> {
    await this.sweeper.stop();
    this.cursors.clear();
    await this.writes.idle();
    await this.store.close();
  }
}
