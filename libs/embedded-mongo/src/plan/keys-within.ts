import { type Doc, type Value } from '../bson/value';
import { type Index } from '../storage/collection';
import { indexKeys, keyValues } from '../storage/index-keys';
import { type KeyRange } from '../storage/store';

const prefixBytes = 6;

/** The field values of the first of a document's keys that lies in one of the ranges. */
export function keysWithin(index: Index, doc: Doc, ranges: KeyRange[]): Value[] | undefined {
  const inside = (key: Buffer): boolean =>
    ranges.some(({ start, end }) => {
      const low = start.subarray(prefixBytes);
      const high = end.subarray(prefixBytes);
      // A range that ends with the index's last key ends before the next index's prefix.
      const unbounded = !end.subarray(0, prefixBytes).equals(start.subarray(0, prefixBytes));
      return Buffer.compare(low, key) <= 0 && (unbounded || Buffer.compare(key, high) < 0);
    });
  const key = indexKeys(index, doc)
    .keys.toSorted((a, b) => Buffer.compare(a, b))
    .find(inside);
  return key && keyValues(index, doc, key);
}
