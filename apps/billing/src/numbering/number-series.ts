import { AppError } from '@invoicing/errors';
import type { SeriesPlace } from '../invoices/issued-invoice';

/** What numbering needs to know of a document. */
export interface Numbered {
  readonly _id: string;
  readonly series: string;
  readonly seq: number;
  readonly hash: string;
}

export interface SeriesTail {
  /** 0 when the series is empty. */
  readonly seq: number;
  readonly hash: string;
}

/** What an ordered insert came to: the first `inserted` are durable, then one was refused, or none. */
export interface InsertOutcome {
  readonly inserted: number;
  /** Which unique index refused: the id, the (series, number), or another one. */
  readonly refused?: 'id' | 'number' | 'other';
  readonly error?: unknown;
}

export interface SeriesStore<D extends Numbered> {
  /** The highest number, from durable data only. */
  tail: (series: string) => Promise<SeriesTail>;
  countUpTo: (series: string, seq: number) => Promise<number>;
  /** From durable data only. */
  find: (id: string) => Promise<D | null>;
  /** In order, stopping at the first refusal; resolves when durable, throws when nobody knows what happened. */
  insert: (documents: readonly D[]) => Promise<InsertOutcome>;
}

export interface NumberingOptions {
  readonly batchSize?: number;
  /** A series is found broken: nothing is issued in it by this process any more. */
  readonly onBroken?: (series: string, count: number, last: number) => void;
  readonly pause?: () => Promise<void>;
}

export interface Numbering<D extends Numbered> {
  /** Inserts the document under the next number; the same id again answers the document that is there. */
  issue: (series: string, id: string, seal: (place: SeriesPlace) => D) => Promise<D>;
  /** The place that the next document takes if nothing is issued before it. Takes nothing. */
  next: (series: string) => Promise<number>;
}

interface Waiting<D> {
  readonly id: string;
  readonly seal: (place: SeriesPlace) => D;
  readonly done: { resolve: (document: D) => void; reject: (error: unknown) => void }[];
}

const BATCH_SIZE = 64;
// A round without an insert means that another process inserted, or that its write is not durable yet; this many in a row mean neither.
const MAX_IDLE_ROUNDS = 200;
const PAUSE_MS = 2;
const pauseShortly = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/**
 * Gapless numbers by ordered insert, unique index and group commit (docs/reliability.md): one queue a series, of which up to 64
 * go into one insert while the next batch forms. An insert of k is tried only after k − 1 was durable or went before it in the
 * same ordered insert, numbers are never freed, and the unique indexes make rivals, zombies and late writes fail harmlessly.
 */
export function createNumbering<D extends Numbered>(
  store: SeriesStore<D>,
  options: NumberingOptions = {},
): Numbering<D> {
  // One small entry for each series that this process issued in.
  const queues = new Map<string, ReturnType<typeof seriesQueue<D>>>();
  return {
    issue: (series, id, seal) => {
      let queue = queues.get(series);
      if (!queue) queues.set(series, (queue = seriesQueue(store, series, options)));
      return queue(id, seal);
    },
    next: async (series) => (await store.tail(series)).seq + 1,
  };
}

/** A numbering for each organisation: its series are in its part of the store. */
export function numberingByOrganization<D extends Numbered>(
  storeOf: (organizationId: string) => SeriesStore<D>,
  options: NumberingOptions = {},
): (organizationId: string) => Numbering<D> {
  const made = new Map<string, Numbering<D>>();
  return (organizationId) => {
    let numbering = made.get(organizationId);
    if (!numbering) made.set(organizationId, (numbering = createNumbering(storeOf(organizationId), options)));
    return numbering;
  };
}

function seriesQueue<D extends Numbered>(store: SeriesStore<D>, series: string, options: NumberingOptions) {
  const { batchSize = BATCH_SIZE, pause = pauseShortly } = options;
  const waiting = new Map<string, Waiting<D>>();
  let tail: SeriesTail | undefined;
  let checked = false;
  let broken: AppError | undefined;
  let draining = false;

  return (id: string, seal: (place: SeriesPlace) => D): Promise<D> =>
    new Promise<D>((resolve, reject) => {
      // A repeat of an id that waits joins it.
      const entry = waiting.get(id);
      if (entry) entry.done.push({ resolve, reject });
      else waiting.set(id, { id, seal, done: [{ resolve, reject }] });
      if (!draining) void drain();
    });

  async function drain(): Promise<void> {
    draining = true;
    // Requests of the same turn of the event loop share the first batch.
    await Promise.resolve();
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, batchSize);
      for (const { id } of batch) waiting.delete(id);
      await commit(batch);
    }
    draining = false;
  }

  /** Settles every entry of the batch; never throws. */
  async function commit(batch: readonly Waiting<D>[]): Promise<void> {
    let rest = batch;
    try {
      for (let idle = 0; rest.length > 0; idle++) {
        if (idle > MAX_IDLE_ROUNDS) throw new AppError('unavailable', 'unavailable', `series ${series} does not move`);
        const from = tail ?? (await readTail());
        const documents = chain(rest, from);
        // Until the outcome is known nothing is known.
        tail = undefined;
        const { inserted, refused, error } = await store.insert(documents);
        documents.slice(0, inserted).forEach((document, index) => settle(rest[index]!, document));
        rest = rest.slice(inserted);
        if (inserted > 0) idle = 0;
        if (refused === undefined) {
          tail = documents.at(-1)!;
        } else if (refused === 'number') {
          // Another process was first: read again, renumber the rest.
          tail = await readTail();
          if (tail.seq > from.seq + inserted) idle = 0;
          else await pause();
        } else {
          const [first, ...others] = rest as [Waiting<D>, ...Waiting<D>[]];
          if (refused === 'id') settle(first, await issuedBefore(first.id));
          else for (const each of first.done) each.reject(error);
          rest = others;
          idle = 0;
        }
      }
    } catch (error) {
      tail = undefined;
      for (const { done } of rest) for (const each of done) each.reject(error);
    }
  }

  function chain(entries: readonly Waiting<D>[], from: SeriesTail): D[] {
    let { seq, hash } = from;
    return entries.map(({ seal }) => {
      const document = seal({ seq: seq + 1, previousHash: hash });
      ({ seq, hash } = document);
      return document;
    });
  }

  async function readTail(): Promise<SeriesTail> {
    if (broken) throw broken;
    const found = await store.tail(series);
    if (!checked) {
      const count = await store.countUpTo(series, found.seq);
      if (count !== found.seq) {
        broken = new AppError('internal', 'series_broken', `series ${series} has ${count} of ${found.seq} numbers`);
        options.onBroken?.(series, count, found.seq);
        throw broken;
      }
      checked = true;
    }
    return found;
  }

  async function issuedBefore(id: string): Promise<D> {
    const found = await store.find(id);
    // Refused by a write that is not durable yet: whoever asks again will find it.
    if (!found) throw new AppError('unavailable', 'unavailable', 'the invoice is being issued');
    return found;
  }
}

const settle = <D>(entry: Waiting<D>, document: D): void => {
  for (const { resolve } of entry.done) resolve(document);
};
