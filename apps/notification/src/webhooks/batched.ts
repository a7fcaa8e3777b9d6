/**
 * Joins single calls into calls for many: the next batch gathers while the last one runs. No timer and no added wait, and what is
 * asked after a batch has begun is answered by a later one, so nothing is stale. `run` answers for each item, in order.
 */
export function batched<I, O>(
  limit: number,
  run: (items: readonly I[]) => Promise<readonly O[]>,
): (item: I) => Promise<O> {
  interface Waiting {
    readonly item: I;
    readonly resolve: (answer: O) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = false;

  const drain = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, limit);
      try {
        const answers = await run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(answers[index]!));
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
    }
    running = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void drain();
    });
}
