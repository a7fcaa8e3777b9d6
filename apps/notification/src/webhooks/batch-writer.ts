import type { AnyBulkWriteOperation, Collection, Document } from 'mongodb';

/** Gathers single-document writes into bulk writes: the next batch forms while the last one commits. No timer, no added wait. */
export interface BatchWriter<T extends Document> {
  /** Resolves once the write is durable. Writes of one batch are applied in no order. */
  write(operation: AnyBulkWriteOperation<T>): Promise<void>;
}

const LARGEST_BATCH = 256;

export function batchWriter<T extends Document>(collection: Collection<T>): BatchWriter<T> {
  interface Waiting {
    readonly operation: AnyBulkWriteOperation<T>;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, LARGEST_BATCH);
      const operations = batch.map(({ operation }) => operation);
      await collection.bulkWrite(operations, { ordered: false }).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      );
    }
    running = false;
  };
  return {
    write: (operation) =>
      new Promise((resolve, reject) => {
        waiting.push({ operation, resolve, reject });
        if (!running) void run();
      }),
  };
}
