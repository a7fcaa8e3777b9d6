import { compareValues } from '../bson/compare';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Matcher } from '../query/path';

/** One field of an index's key. */
export interface IndexField {
  path: string;
  parts: string[];
  descending: boolean;
}

/** An index as the catalog keeps it. Never changed in place: readers may hold it while a writer replaces it. */
export interface Index {
  slot: number;
  name: string;
  /** As createIndexes was given it: { a: 1, b: -1 }. */
  key: Doc;
  /** What listIndexes answers. */
  spec: Doc;
  fields: IndexField[];
  unique: boolean;
  sparse: boolean;
  hidden: boolean;
  /** New duplicates are refused, those that are there may stay: the step before `unique`. */
  prepareUnique: boolean;
  partial: { filter: Doc; matches: Matcher } | undefined;
  expireAfterSeconds: number | undefined;
  /** How often a plan has used it since it is what it is; shared by all copies. */
  usage: { ops: number; since: Date };
  /** Some document has more than one key in it: an array was indexed. */
  multikey: boolean;
  /** Some key was too long and is cut: its order beyond the cut is lost. */
  truncated: boolean;
}

/** A collection, its options and its indexes, as the catalog knows it. */
export interface Collection {
  number: number;
  db: string;
  name: string;
  options: Doc;
  uuid: Value;
  indexes: Index[];
  nextSlot: number;
}

/** `<database>.<collection>`. */
export const namespaceOf = (db: string, name: string): string => `${db}.${name}`;

/** The same fields in the same order and direction, whatever the width of the numbers. */
export const sameKey = (a: Doc, b: Doc): boolean => compareValues(a, b) === 0;

/** The index that is meant by a name or by a key pattern. */
export function findIndex({ indexes }: Collection, wanted: Value | undefined): Index | undefined {
  if (typeof wanted === 'string') return indexes.find(({ name }) => name === wanted);
  return isDoc(wanted) ? indexes.find(({ key }) => sameKey(key, wanted)) : undefined;
}
