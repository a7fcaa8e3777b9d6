import { Catalog } from './storage/catalog';
import { namespaceOf, type Collection } from './storage/collection';
import { Store } from './storage/store';
import { Sweeper } from './storage/sweeper';
import { WriteQueue } from './storage/write-queue';
import { Cursors } from './cursors';
import { FailEvery } from './replication/fail-every';
import { FailPoints } from './replication/fail-points';
import { ReplicaSet } from './replication/replica-set';
import { Sessions } from './replication/sessions';
import { Metrics } from './metrics';
import { RecentLog } from './recent-log';

/** How an engine is opened. */
export interface EngineOptions {
  ttlIntervalMs?: number;
  log?: (line: object) => void;
  /** Fail points can be set, as on a mongod that is started with test commands. */
  testCommands?: boolean;
  /** Every n-th command that a driver repeats by itself fails: for tests. */
  failEvery?: number | undefined;
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
  readonly replicaSet = new ReplicaSet();
  readonly sessions = new Sessions();
  readonly failPoints: FailPoints | undefined;
  readonly failEvery: FailEvery | undefined;

  constructor(
    folder: string,
    { ttlIntervalMs = 60_000, log = () => undefined, testCommands = false, failEvery }: EngineOptions = {},
  ) {
    this.recentLog = new RecentLog(log);
    this.store = new Store(folder);
    this.catalog = new Catalog(this.store);
    this.writes = new WriteQueue(this.store, this.catalog, () => this.replicaSet.clock.tick());
    this.cursors = new Cursors(this.store);
    this.sweeper = new Sweeper(this, ttlIntervalMs, this.recentLog.write);
    if (testCommands) this.failPoints = new FailPoints();
    if (failEvery) this.failEvery = new FailEvery(failEvery);
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
