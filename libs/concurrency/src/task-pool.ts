/** Work that goes on in the background, so much at once. */
export class TaskPool {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly limit = Infinity) {}

  /** Waits until one more may be added. */
  async room(): Promise<void> {
    while (this.running.size >= this.limit) await Promise.race(this.running);
  }

  /** Keeps an eye on work that has begun. It must not fail: who begins it says what becomes of its errors. */
  add(work: Promise<void>): void {
    const tracked: Promise<void> = work.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  /** Waits until all that has been added has ended. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}
