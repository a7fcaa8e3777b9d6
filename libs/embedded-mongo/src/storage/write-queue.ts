import { CommandError } from '../command-error';
import { type Catalog } from './catalog';
import { Counters } from './counters';
import { type Store } from './store';
import { WriteTransaction } from './write-transaction';

interface Job {
  run: (transaction: WriteTransaction) => void;
  settle: (failure: unknown) => void;
}

/** How long one batch may keep the event loop from reads. */
const batchTimeMs = 20;

/**
 * Group commit: while one batch is being synced by LMDB's thread, the commands that arrive wait and become the next.
 * A command's promise settles, either way, only after the commit it ran in is durable, because even a refusal
 * (a duplicate key) may rest on what was written in it.
 */
export class WriteQueue {
  readonly counters = new Counters();
  private jobs: Job[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    private readonly catalog: Catalog,
    private readonly onCommit: () => void = () => undefined,
  ) {}

  run<T>(work: (transaction: WriteTransaction) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let finish = (): void => reject(new CommandError('Interrupted', 'the write did not run'));
      this.jobs.push({
        run: (transaction) => {
          const mark = transaction.mark();
          try {
            const result = work(transaction);
            finish = () => resolve(result);
          } catch (error) {
            transaction.rollback(mark);
            finish = () => reject(error as Error);
          }
        },
        settle: (failure) => (failure ? reject(failure as Error) : finish()),
      });
      this.running ??= this.drain();
    });
  }

  private async drain(): Promise<void> {
    // Leaves the current turn, so that everything that arrived with this command joins its batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.jobs.length > 0) await this.commitBatch();
    this.running = undefined;
  }

  private async commitBatch(): Promise<void> {
    const done: Job[] = [];
    let failure: unknown;
    const transaction = new WriteTransaction(this.store, this.catalog, this.counters);
    try {
      await this.store.transaction(() => {
        this.store.epoch++;
        const deadline = performance.now() + batchTimeMs;
        do {
          const job = this.jobs.shift()!;
          done.push(job);
          job.run(transaction);
        } while (this.jobs.length > 0 && performance.now() < deadline);
        this.store.epoch++;
      });
      transaction.committed();
      this.onCommit();
    } catch (error) {
      failure = new CommandError('UnknownError', `the store could not commit: ${(error as Error).message}`);
      this.catalog.revert();
      this.counters.forget();
      if (done.length === 0) done.push(...this.jobs.splice(0));
    }
    for (const job of done) job.settle(failure);
  }

  /** Resolves when everything that was asked for is durable. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }
}
