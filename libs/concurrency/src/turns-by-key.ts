/** Runs work of one key one after the other, in the order in which it came; work of different keys side by side. */
export class TurnsByKey {
  private readonly last = new Map<string, Promise<unknown>>();

  /** The outcome of the work, once its turn has come. How the work before it ended does not matter to it. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(key) ?? Promise.resolve()).then(work);
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.last.set(key, ended);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === ended) this.last.delete(key);
    }
  }
}
