import { CommandError } from '../command-error';
import { type Variables } from '../aggregate/expression';
import { collated, collatedStream, type Collation } from '../bson/collation';
import { compareNumbers } from '../bson/compare';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileFilter } from '../query/compile-filter';
import { compileSort, Sorter } from '../query/sort';
import { findIndex, type Collection } from '../storage/collection';
import { documentKey } from '../storage/keys';
import { type Store } from '../storage/store';
import { choosePlan, type Estimate, type Plan, type Wanted } from './choose-plan';
import { coveredScan, isCovered } from './covered';
import { execute, Found, type Examined } from './execute';

/** What is looked for, and what of it is answered. */
export interface FindOptions extends Wanted {
  skip?: number;
  /** All that is asked of the documents, when that is known: paths that an index may have. */
  fields?: string[] | undefined;
  /** What `$expr` may refer to: `let` of a command. */
  variables?: Variables | undefined;
  collation?: Collation | undefined;
}

/** A search under way: its plan, what it has read so far, and what it finds. */
export interface Search {
  plan: Plan;
  examined: Examined;
  stream: Generator<Found | undefined>;
}

/** Plans a query and gives its matches, sorted, skipped and limited. */
export function find(store: Store, collection: Collection, options: FindOptions): Search {
  const { collation } = options;
  if (!collation) return search(store, collection, options);
  const found = collated(collation, () => search(store, collection, options));
  return { ...found, stream: collatedStream(collation, found.stream) };
}

function search(store: Store, collection: Collection, options: FindOptions): Search {
  const { skip = 0, limit = 0 } = options;
  const plan = choosePlan(collection, options, estimateIn(store));
  const examined: Examined = { keys: 0, docs: 0 };
  const wanted = limit > 0 ? skip + limit : Infinity;
  const atOnce = plan.sorted && wanted !== Infinity ? Math.min(wanted, 256) : 16;
  const { fields } = options;
  const matches = isCovered(plan, fields)
    ? coveredScan(store, collection, plan, fields!, examined, atOnce)
    : execute(store, collection, plan, compileFilter(options.filter, options.variables), examined, atOnce);
  const ordered = plan.sorted ? matches : sorted(store, collection, matches, options.sort!, wanted);
  return { plan, examined, stream: skip > 0 || limit > 0 ? window(ordered, skip, limit) : ordered };
}

/** Counts the keys of a scan, no further than asked. */
export const estimateIn =
  (store: Store): Estimate =>
  ({ ranges }, atMost) => {
    let keys = 0;
    for (const range of ranges) if ((keys += store.count(range, atMost - keys)) >= atMost) break;
    return keys;
  };

/** How many match; counted in the index alone when that decides. */
export function count(store: Store, collection: Collection, options: FindOptions): Generator<undefined, number> {
  const counting = counted(store, collection, options);
  return options.collation ? collatedStream(options.collation, counting) : counting;
}

function* counted(store: Store, collection: Collection, options: FindOptions): Generator<undefined, number> {
  const { skip = 0, limit = 0 } = options;
  const plan = choosePlan(collection, { ...options, sort: undefined }, estimateIn(store));
  let n = 0;
  if (plan.kind === 'index' && plan.exact && !plan.index.multikey) {
    plan.index.usage.ops++;
    for (const range of plan.ranges) n += store.count(range);
  } else {
    const matches = compileFilter(options.filter, options.variables);
    for (const found of execute(store, collection, plan, matches, { keys: 0, docs: 0 })) {
      if (!found) yield undefined;
      else if (++n === skip + limit && limit > 0) break;
    }
  }
  n = Math.max(0, n - skip);
  return limit > 0 ? Math.min(n, limit) : n;
}

function* window(stream: Iterable<Found | undefined>, skip: number, limit: number): Generator<Found | undefined> {
  let seen = 0;
  for (const found of stream) {
    if (!found) {
      yield undefined;
      continue;
    }
    seen++;
    if (seen > skip) yield found;
    if (limit > 0 && seen === skip + limit) return;
  }
}

/** Sorts in memory: keys and record numbers only, unless so few are wanted that the documents can be kept. */
function* sorted(
  store: Store,
  collection: Collection,
  stream: Iterable<Found | undefined>,
  sort: Doc,
  wanted: number,
): Generator<Found | undefined> {
  const keyOf = compileSort(sort);
  const sorter = new Sorter<number>(wanted);
  for (const found of stream) {
    if (found) sorter.add(keyOf(found.doc), found.record, 0);
    else yield undefined;
  }
  for (const record of sorter.sorted()) {
    const bytes = store.get(documentKey(collection.number, record));
    if (bytes) yield new Found(record, bytes);
  }
}

/** The index that a hint names, by name or by its key pattern. */
export function resolveHint(collection: Collection | undefined, hint: Value | undefined): Wanted['hint'] {
  if (hint === undefined || hint === null) return undefined;
  if (isDoc(hint) && hint.$natural !== undefined) {
    return compareNumbers(hint.$natural, 0) < 0 ? 'natural-reverse' : 'natural';
  }
  if (isDoc(hint) && Object.keys(hint).length === 0) return undefined;
  if (!collection) return undefined;
  const found = findIndex(collection, hint);
  if (!found) {
    throw new CommandError(
      'BadValue',
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  }
  return found;
}
