/** How calls are joined. */
export interface Batching<I> {
  /** Most weight of a batch; a single item that weighs more is a batch of its own. */
  readonly limit: number;
  /** Default: 1. */
  readonly weightOf?: (item: I) => number;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (answer: O) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins single calls into calls for many: the next batch gathers while the last one runs. No timer and no added wait, and what is
 * asked after a batch has begun is answered by a later one, so nothing is stale. `run` answers for each item, in order; when it fails
 * it fails for the items of its batch.
 */
export function batched<I, O>(
  { limit, weightOf = () => 1 }: Batching<I>,
  run: (items: readonly I[]) => Promise<readonly O[]>,
): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let running = false;

  const nextBatch = (): Waiting<I, O>[] => {
    let count = 0;
    for (let weight = 0; count < waiting.length; count++) {
      weight += weightOf(waiting[count]!.item);
      if (count > 0 && weight > limit) break;
    }
    return waiting.splice(0, count);
  };
  const drain = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const batch = nextBatch();
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
