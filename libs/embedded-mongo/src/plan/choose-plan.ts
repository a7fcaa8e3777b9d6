import { activeCollation, holdsText } from '../bson/collation';
import { compareNumbers } from '../bson/compare';
import { type Doc } from '../bson/value';
import { type Collection, type Index } from '../storage/collection';
import { boundedScan, type KeyBounds } from './bounded-scan';
import { conditionsOf, type Conditions } from './conditions';
import { indexScan, type IndexScan } from './index-scan';
import { impliesPartial } from './partial';

/** Reads every document. */
export interface CollectionScan {
  kind: 'collection';
  reverse: boolean;
  exact: false;
  sorted: boolean;
}

/** The branches of an `$or`, each by an index of its own. */
export interface Union {
  kind: 'or';
  branches: IndexScan[];
  exact: false;
  sorted: boolean;
}

/** How documents are found. */
export type Plan = CollectionScan | IndexScan | Union;

/** What is looked for. */
export interface Wanted {
  filter: Doc;
  sort?: Doc | undefined;
  /** An index to use, or `$natural` for none. */
  hint?: Index | 'natural' | 'natural-reverse' | undefined;
  /** Keys of the hinted index between which to look. */
  bounds?: KeyBounds | undefined;
  /** Matches wanted; 0 or undefined: all. */
  limit?: number | undefined;
}

/** How many keys a scan would read, counted only up to `atMost`. */
export type Estimate = (scan: IndexScan, atMost: number) => number;

/** Which index serves a query best; a scan of the collection only when none does. */
export function choosePlan(collection: Collection, wanted: Wanted, estimate?: Estimate): Plan {
  const { filter, sort, hint } = wanted;
  const collation = activeCollation();
  const conditions = collation ? withoutText(conditionsOf(filter)) : conditionsOf(filter);
  const sortKeys = sort && Object.keys(sort).length > 0 ? sort : undefined;
  if (collation && sortKeys) return unordered(choosePlan(collection, { filter, hint }, estimate));
  if (hint === 'natural' || hint === 'natural-reverse') return collectionScan(hint === 'natural-reverse', !sortKeys);
  if (hint && wanted.bounds) return boundedScan(hint, collection, wanted.bounds, !sortKeys);
  if (hint)
    return indexScan(hint, collection, conditions, sortKeys) ?? wholeIndex(hint, collection, conditions, sortKeys);
  const eligible = collection.indexes.filter(
    (index) => !index.hidden && (!index.partial || impliesPartial(conditions, index)),
  );
  const scans: IndexScan[] = [];
  for (const index of eligible) {
    const scan = indexScan(index, collection, conditions, sortKeys);
    if (!scan) continue;
    if (scan.wholeKey) return scan;
    scans.push(scan);
  }
  const best = bestOf(scans, wanted, estimate);
  if (best && best.matched > 0) return best;
  const other = union(collection, conditions, !sortKeys) ?? best;
  if (other) return other;
  if (collection.options.clusteredIndex) return wholeIndex(collection.indexes[0]!, collection, conditions, sortKeys);
  return collectionScan(naturalReverse(sort), !sortKeys);
}

/** Indexes hold text by code points: under a collation they neither find nor order it. */
function withoutText({ all, ors, rest }: Conditions): Conditions {
  const kept = all.filter(({ operand, operator }) => operator === '$regex' || !holdsText(operand));
  return { all: kept, ors: [], rest: rest || ors.length > 0 || kept.length < all.length };
}

const unordered = (plan: Plan): Plan => ({ ...plan, sorted: false });

/** Looking costs about a microsecond a key; guessing wrong can cost a whole collection. */
const worthCounting = 500;

/**
 * The best by score. Between scans that bound equally many fields the one that reads fewer keys; and one that needs a sort
 * gives way to one in order when only a few are wanted but very many would have to be sorted.
 */
function bestOf(scans: IndexScan[], { limit = 0 }: Wanted, estimate: Estimate | undefined): IndexScan | undefined {
  const ranked = scans.toSorted((a, b) => b.score - a.score);
  let [best] = ranked;
  if (!best || !estimate || ranked.length === 1) return best;
  const rivals = ranked.filter(
    (scan) => scan.matched > 0 && scan.sorted === best!.sorted && best!.score - scan.score < 5,
  );
  if (rivals.length > 1) {
    const counted = rivals.map((scan) => ({ scan, keys: estimate(scan, worthCounting) }));
    best = counted.reduce((a, b) => (b.keys < a.keys ? b : a)).scan;
  }
  const inOrder = ranked.find((scan) => scan.sorted);
  if (best.sorted || !inOrder || limit === 0 || limit * 5 >= worthCounting) return best;
  return estimate(best, worthCounting) < worthCounting ? best : inOrder;
}

const collectionScan = (reverse: boolean, sorted: boolean): CollectionScan => ({
  kind: 'collection',
  reverse,
  exact: false,
  sorted,
});

function naturalReverse(sort: Doc | undefined): boolean {
  return sort?.$natural !== undefined && compareNumbers(sort.$natural, 0) < 0;
}

/** An index that narrows nothing is read from end to end: because it is hinted, or because its order is the natural one. */
function wholeIndex(index: Index, collection: Collection, conditions: Conditions, sort: Doc | undefined): Plan {
  return indexScan(index, collection, conditions, sort, true)!;
}

/** A rooted `$or` whose every branch has an index of its own. */
function union(collection: Collection, { ors }: Conditions, sorted: boolean): Union | undefined {
  for (const clauses of ors) {
    const plans = clauses.map((filter) => choosePlan(collection, { filter }));
    const branches = plans.flatMap((plan) => {
      if (plan.kind === 'collection') return [undefined];
      return plan.kind === 'or' ? plan.branches : [plan];
    });
    if (branches.every((branch) => branch !== undefined)) return { kind: 'or', branches, exact: false, sorted };
  }
  return undefined;
}
