import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RangeOptions, type RootDatabase } from 'lmdb';
import { claim, disown } from './ownership';

/** A half-open range of keys. */
export interface KeyRange {
  /** Inclusive. */
  start: Buffer;
  /** Exclusive. */
  end: Buffer;
}

/** A key and what is stored under it. */
export interface Entry {
  key: Buffer;
  value: Buffer;
}

/** How much a scan reads ahead. */
const chunkSize = 256;
const chunkBytes = 1024 * 1024;
const fewKeys = 3;

/** What the store is kept in, within its folder. */
export const STORE_FILE = 'store.mdb';

const keyItself = (key: Buffer): Buffer => key;
const noBytes = (): number => 0;
const keyOf = ({ key }: Entry): Buffer => key;
const valueBytes = ({ value }: Entry): number => value.length;

const openFile = (path: string): RootDatabase<Buffer, Buffer> =>
  open({
    path,
    noSubdir: true,
    overlappingSync: false,
    // Otherwise lmdb makes a promise of its own for each batch, and when a commit fails that one is rejected with nobody to catch it.
    eventTurnBatching: false,
    keyEncoding: 'binary',
    encoding: 'binary',
    // Address space, not memory or disk: the file grows with its contents.
    mapSize: 2 ** 38,
    maxDbs: 1,
  });

/**
 * The one ordered map of bytes that everything lives in. Reads see the last durable commit, or, inside a write
 * transaction, that transaction. `overlappingSync: false` makes LMDB sync the pages and write the meta page
 * (O_DSYNC) before it publishes the transaction id that readers look at: what is visible is durable.
 */
export class Store {
  private readonly db: RootDatabase<Buffer, Buffer>;
  private readonly release: () => void;
  /** Grows whenever the event loop may have run: what a scan has read ahead is then out of date. */
  epoch = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.db = openFile(join(folder, STORE_FILE));
    try {
      this.release = claim(this.db, folder);
    } catch (error) {
      void this.db.close();
      throw error;
    }
  }

  get(key: Buffer): Buffer | undefined {
    return this.db.getBinary(key);
  }

  has(key: Buffer): boolean {
    return this.db.doesExist(key);
  }

  /** Inside a transaction only. */
  put(key: Buffer, value: Buffer): void {
    void this.db.put(key, value);
  }

  /** Inside a transaction only. */
  remove(key: Buffer): void {
    void this.db.remove(key);
  }

  /** Runs `work` in a write transaction; resolves when it is durable and visible. */
  async transaction(work: () => void): Promise<void> {
    try {
      await this.db.transaction(work);
    } catch (error) {
      // lmdb says why a commit failed in a second promise.
      throw (await (error as { commitError?: Promise<never> }).commitError?.catch((cause: unknown) => cause)) ?? error;
    }
  }

  /** The number of keys, or `limit` when there are at least that many. */
  count({ start, end }: KeyRange, limit = Infinity): number {
    if (limit === Infinity) return this.db.getKeysCount({ start, end });
    let count = 0;
    for (const _key of this.db.getKeys({ start, end, limit })) count++;
    return count;
  }

  keys(range: KeyRange, reverse = false, atOnce = 16): Generator<Buffer> {
    const read = (options: RangeOptions): Iterable<Buffer> => this.db.getKeys(options) as Iterable<Buffer>;
    return this.scan(read, keyItself, noBytes, range, reverse, atOnce);
  }

  entries(range: KeyRange, reverse = false, atOnce = 16): Generator<Entry> {
    const read = (options: RangeOptions): Iterable<Entry> => this.db.getRange(options) as Iterable<Entry>;
    return this.scan(read, keyOf, valueBytes, range, reverse, atOnce);
  }

  /** The keys of many ranges, in ascending order, as `keys` gives those of one. */
  keysOf(ranges: readonly KeyRange[], atOnce = 16): Generator<Buffer> {
    if (ranges.length === 1) return this.keys(ranges[0]!, false, atOnce);
    return this.scanAll((options) => this.db.getKeys(options) as Iterable<Buffer>, keyItself, ranges);
  }

  /** The entries of many ranges, in ascending order, as `entries` gives those of one. */
  entriesOf(ranges: readonly KeyRange[], atOnce = 16): Generator<Entry> {
    if (ranges.length === 1) return this.entries(ranges[0]!, false, atOnce);
    return this.scanAll((options) => this.db.getRange(options) as Iterable<Entry>, keyOf, ranges);
  }

  /**
   * Reads on over the end of a range: the first key after it says which of the next ranges have nothing, so that those are not looked for
   * one by one. Only a few keys at once, for most of them may be nobody's.
   */
  private *scanAll<T>(
    read: (options: RangeOptions) => Iterable<T>,
    keyOf: (item: T) => Buffer,
    ranges: readonly KeyRange[],
  ): Generator<T> {
    if (ranges.length === 0) return;
    const { end } = ranges.at(-1)!;
    let limit = fewKeys;
    let last: Buffer | undefined;
    for (let i = 0; i < ranges.length;) {
      const { epoch } = this;
      const options = { start: last ?? ranges[i]!.start, exclusiveStart: last !== undefined, end, limit };
      const chunk = [...read(options)];
      let isDone = chunk.length < limit;
      for (const item of chunk) {
        const key = keyOf(item);
        if (Buffer.compare(key, ranges[i]!.end) >= 0) {
          while (i < ranges.length && Buffer.compare(key, ranges[i]!.end) >= 0) i++;
          if (i === ranges.length) return;
          limit = fewKeys;
          last = undefined;
          // Of the gap before the next range no more is read.
          if (Buffer.compare(key, ranges[i]!.start) < 0) {
            isDone = false;
            break;
          }
        }
        last = key;
        yield item;
        if (this.epoch !== epoch) {
          isDone = false;
          break;
        }
      }
      if (isDone) return;
      if (last) limit = Math.min(limit * 2, chunkSize);
    }
  }

  /** Reads in growing chunks, so no cursor (and no old snapshot) is held while the caller does something else. */
  private *scan<T>(
    read: (options: RangeOptions) => Iterable<T>,
    keyOf: (item: T) => Buffer,
    bytesOf: (item: T) => number,
    { start, end }: KeyRange,
    reverse: boolean,
    atOnce: number,
  ): Generator<T> {
    let last: Buffer | undefined;
    for (let limit = atOnce; ; limit = Math.min(limit * 2, chunkSize)) {
      const epoch = this.epoch;
      const options = reverse
        ? { start: last ?? end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true, limit }
        : { start: last ?? start, end, exclusiveStart: last !== undefined, limit };
      const chunk: T[] = [];
      let bytes = 0;
      let complete = true;
      for (const item of read(options)) {
        chunk.push(item);
        if ((bytes += bytesOf(item)) < chunkBytes && chunk.length < limit) continue;
        complete = false;
        break;
      }
      for (const item of chunk) {
        last = keyOf(item);
        yield item;
        if (this.epoch !== epoch) break;
      }
      if (complete && this.epoch === epoch) return;
    }
  }

  /** Writes all that is durable at this moment into a file of its own, while everything goes on; free space is left out. */
  async copyTo(file: string): Promise<void> {
    await this.db.backup(file, true);
    const copy = openFile(file);
    disown(copy);
    await copy.close();
  }

  async close(): Promise<void> {
    this.release();
    await this.db.close();
  }
}
