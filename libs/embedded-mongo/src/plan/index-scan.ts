import { compareNumbers } from '../bson/compare';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Collection, type Index } from '../storage/collection';
import { afterPrefix, slotPrefix } from '../storage/keys';
import { type KeyRange } from '../storage/store';
import { type Condition, type Conditions } from './conditions';
import { boundsOf, descending, intersect, type Bounds } from './intervals';
import { cut } from '../storage/index-keys';

/** Reads ranges of one index. */
export interface IndexScan {
  kind: 'index';
  index: Index;
  ranges: KeyRange[];
  reverse: boolean;
  /** Every document found matches the filter. */
  exact: boolean;
  /** Documents come in the wanted order. */
  sorted: boolean;
  /** How many of the index's fields are bounded. */
  matched: number;
  /** Every range is a whole key of a unique index: it holds one document at most. */
  wholeKey: boolean;
  score: number;
}

/** More combinations of `$in` values than this are not worth spelling out. */
const maxPrefixes = 4096;

/** How an index serves a query; undefined when it neither narrows nor orders it. */
export function indexScan(
  index: Index,
  collection: Collection,
  conditions: Conditions,
  sort: Doc | undefined,
  forced = false,
): IndexScan | undefined {
  const prefix = slotPrefix(collection.number, index.slot);
  let prefixes = [prefix];
  let ranges: KeyRange[] | undefined;
  const used = new Set<Condition>();
  const single: boolean[] = [];
  let matched = 0;
  let excludesMissing = false;
  let exact = !index.truncated;

  for (const [i, field] of index.fields.entries()) {
    if (index.multikey && sharesArray(index, i)) break;
    const found = fieldBounds(index, field.path, conditions);
    if (!found) break;
    const { bounds } = found;
    for (const condition of found.used) used.add(condition);
    matched++;
    excludesMissing ||= bounds.excludesMissing;
    exact &&= bounds.exact;
    const intervals = field.descending ? descending(bounds.intervals) : bounds.intervals;
    if (bounds.points && prefixes.length * intervals.length <= maxPrefixes) {
      prefixes = prefixes.flatMap((before) => intervals.map(({ low }) => Buffer.concat([before, low])));
      single.push(intervals.length === 1);
      continue;
    }
    ranges = prefixes.flatMap((before) =>
      intervals.map(({ low, high }) => ({ start: Buffer.concat([before, low]), end: Buffer.concat([before, high]) })),
    );
    break;
  }

  if (index.sparse && !excludesMissing && !forced) return undefined;
  const order =
    sort && !index.multikey && !index.truncated ? sortedBy(index, sort, single, prefixes.length) : undefined;
  if (matched === 0 && !order && !forced) return undefined;
  const bounded = ranges ?? prefixes.map((start) => ({ start, end: afterPrefix(start) }));
  const allUsed =
    !conditions.rest && conditions.ors.length === 0 && conditions.all.every((condition) => used.has(condition));
  return {
    kind: 'index',
    index,
    ranges: bounded.map((range) => truncate(index, prefix, range)),
    reverse: order === 'reverse',
    exact: exact && allUsed && !index.truncated,
    sorted: !sort || order !== undefined,
    matched,
    wholeKey: index.unique && single.length === index.fields.length,
    score: score(index, single.length, ranges !== undefined, order !== undefined, exact && allUsed),
  };
}

/** Equality beats a range beats an order alone. */
function score(index: Index, equalities: number, range: boolean, ordered: boolean, exact: boolean): number {
  return equalities * 10 + (range ? 5 : 0) + (ordered ? 7 : 0) + (exact ? 2 : 0) - index.fields.length * 0.1;
}

/** In a multikey index two fields below the same array hold for possibly different elements: only the first may be bounded. */
function sharesArray(index: Index, field: number): boolean {
  const root = index.fields[field]!.parts[0];
  return index.fields.slice(0, field).some(({ parts }) => parts[0] === root);
}

function fieldBounds(
  index: Index,
  path: string,
  { all }: Conditions,
): { bounds: Bounds; used: Condition[] } | undefined {
  let best: { bounds: Bounds; used: Condition[] } | undefined;
  for (const condition of all) {
    if (condition.path !== path) continue;
    const bounds = boundsOf(condition);
    if (!bounds) continue;
    const sameElement = condition.element !== undefined && condition.element === best?.used[0]?.element;
    if (!best) best = { bounds, used: [condition] };
    else if (!index.multikey || sameElement)
      best = { bounds: intersect(best.bounds, bounds), used: [...best.used, condition] };
    else if (bounds.points && !best.bounds.points) best = { bounds, used: [condition] };
  }
  return best;
}

/** Whether the index yields the wanted order once fields fixed to one value are left out, forwards or in reverse. */
function sortedBy(index: Index, sort: Doc, single: boolean[], prefixes: number): 'forward' | 'reverse' | undefined {
  if (prefixes !== 1) return undefined;
  const fixed = new Set(index.fields.filter((_field, i) => single[i]).map(({ path }) => path));
  let next = 0;
  let direction: 'forward' | 'reverse' | undefined;
  for (const path of Object.keys(sort)) {
    const order = sort[path]!;
    if (isMeta(order)) return undefined;
    if (fixed.has(path)) continue;
    while (next < index.fields.length && fixed.has(index.fields[next]!.path)) next++;
    const field = index.fields[next++];
    if (!field || field.path !== path || index.key[path] === 'hashed') return undefined;
    const wanted = compareNumbers(order, 0) < 0 === field.descending ? 'forward' : 'reverse';
    if (direction && wanted !== direction) return undefined;
    direction = wanted;
  }
  return direction ?? 'forward';
}

const isMeta = (order: Value): boolean => isDoc(order);

/** Keys that were cut for LMDB are found by bounds cut the same way; what is too many is filtered out afterwards. */
function truncate(index: Index, prefix: Buffer, { start, end }: KeyRange): KeyRange {
  if (!index.truncated && start.length < 1900 && end.length < 1900) return { start, end };
  const low = start.subarray(prefix.length);
  const whole = cut(low);
  const begin = Buffer.concat([prefix, whole.length === low.length ? low : whole.subarray(0, -20)]);
  const high = end.subarray(prefix.length);
  return {
    start: begin,
    end: high.length <= 1880 ? end : afterPrefix(Buffer.concat([prefix, high.subarray(0, 1880)])),
  };
}
