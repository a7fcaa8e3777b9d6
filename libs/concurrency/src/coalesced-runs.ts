/**
 * Serves many callers who ask for the same thing at once with two runs of the work: the run under way may have read before the
 * change that the others ask about, so everybody who comes meanwhile waits together for one that starts after it.
 */
export class CoalescedRuns<T> {
  private readonly running = new Map<string, Promise<T>>();
  private readonly waiting = new Map<string, Promise<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const current = this.running.get(key);
    if (!current) return this.start(key, work);
    const next = this.waiting.get(key);
    if (next) return next;
    const startNext = (): Promise<T> => {
      this.waiting.delete(key);
      return this.start(key, work);
    };
    // Whether the one before failed is the business of its own callers.
    const after = current.then(startNext, startNext);
    this.waiting.set(key, after);
    return after;
  }

  private start(key: string, work: () => Promise<T>): Promise<T> {
    const run = work().finally(() => {
      if (this.running.get(key) === run) this.running.delete(key);
    });
    this.running.set(key, run);
    return run;
  }
}
