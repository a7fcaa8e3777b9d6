import { readDocument } from '../bson/read-document';
import { type Doc } from '../bson/value';
import { type Matcher } from '../query/path';
import { type Collection } from '../storage/collection';
import { documentKey, documentRange, recordOf, recordOfValue } from '../storage/keys';
import { type Store } from '../storage/store';
import { type Plan } from './choose-plan';
import { type IndexScan } from './index-scan';

/** A stored document; decoded only when someone looks inside. */
export class Found {
  private decoded: Doc | undefined;

  constructor(
    readonly record: number,
    readonly bytes: Buffer,
    /** Made of an index key: it has what was asked for, and nothing else. */
    readonly isProjected = false,
  ) {}

  get doc(): Doc {
    return (this.decoded ??= readDocument(this.bytes));
  }
}

/** What a query looked at, as `explain` reports it. */
export interface Examined {
  keys: number;
  docs: number;
}

/** How many documents are looked at between two pauses. */
const pauseEvery = 64;

/** The matches of a plan in its order, with undefined now and then so that a long search can let others in. `atOnce` is how many are likely wanted. */
export function* execute(
  store: Store,
  collection: Collection,
  plan: Plan,
  matches: Matcher,
  examined: Examined,
  atOnce = 16,
): Generator<Found | undefined> {
  for (const found of candidates(store, collection, plan, examined, atOnce)) {
    if (++examined.docs % pauseEvery === 0) yield undefined;
    if (plan.exact || matches(found.doc)) yield found;
  }
}

function* candidates(
  store: Store,
  collection: Collection,
  plan: Plan,
  examined: Examined,
  atOnce: number,
): Generator<Found> {
  if (plan.kind === 'collection') {
    for (const { key, value } of store.entries(documentRange(collection.number), plan.reverse, atOnce)) {
      yield new Found(recordOf(key), value);
    }
    return;
  }
  for (const record of records(store, plan, examined, atOnce)) {
    const bytes = store.get(documentKey(collection.number, record));
    if (bytes) yield new Found(record, bytes);
  }
}

function* records(
  store: Store,
  plan: Exclude<Plan, { kind: 'collection' }>,
  examined: Examined,
  atOnce: number,
): Generator<number> {
  const scans = plan.kind === 'or' ? plan.branches : [plan];
  for (const { index } of scans) index.usage.ops++;
  const repeats = plan.kind === 'or' || plan.index.multikey || overlaps(plan);
  const seen = new Set<number>();
  for (const scan of scans) {
    for (const record of scanIndex(store, scan, examined, atOnce)) {
      if (repeats) {
        if (seen.has(record)) continue;
        seen.add(record);
      }
      yield record;
    }
  }
}

/** Ranges that were cut may overlap. */
const overlaps = ({ index, ranges }: IndexScan): boolean => index.truncated && ranges.length > 1;

function* scanIndex(
  store: Store,
  { index, ranges, reverse, wholeKey }: IndexScan,
  examined: Examined,
  atOnce: number,
): Generator<number> {
  if (wholeKey && !index.truncated) {
    for (const { start } of reverse ? ranges.toReversed() : ranges) {
      // No need for a cursor.
      const value = store.get(start);
      if (!value) continue;
      examined.keys++;
      yield recordOfValue(value);
    }
    return;
  }
  // Ranges that were cut may overlap, and are read one by one, as those are that are read from their end.
  const runs = index.truncated || reverse ? ranges.map((range) => [range]) : [ranges];
  for (const run of reverse ? runs.toReversed() : runs) {
    if (index.unique) {
      for (const { value } of reverse ? store.entries(run[0]!, true, atOnce) : store.entriesOf(run, atOnce)) {
        examined.keys++;
        yield recordOfValue(value);
      }
    } else {
      for (const key of reverse ? store.keys(run[0]!, true, atOnce) : store.keysOf(run, atOnce)) {
        examined.keys++;
        yield recordOf(key);
      }
    }
  }
}
