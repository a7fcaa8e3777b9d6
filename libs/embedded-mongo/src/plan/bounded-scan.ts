import { CommandError } from '../command-error';
import { compareValues } from '../bson/compare';
import { type Doc } from '../bson/value';
import { KeyWriter } from '../bson/value-key';
import { type Collection, type Index } from '../storage/collection';
import { prefixRange, slotPrefix } from '../storage/keys';
import { type IndexScan } from './index-scan';

/** `min` and `max` of find: keys of an index from one up to, and without, another. */
export interface KeyBounds {
  min?: Doc | undefined;
  max?: Doc | undefined;
}

/** The part of a hinted index that lies between two keys, in its order. */
export function boundedScan(index: Index, collection: Collection, bounds: KeyBounds, sorted: boolean): IndexScan {
  const { min, max } = bounds;
  const prefix = slotPrefix(collection.number, index.slot);
  const all = prefixRange(prefix);
  const start = min ? Buffer.concat([prefix, keyOf(index, min)]) : all.start;
  const end = max ? Buffer.concat([prefix, keyOf(index, max)]) : all.end;
  if (Buffer.compare(start, end) >= 0)
    throw new CommandError(
      'Location51175',
      'The value provided for min() does not come before the value provided for max().',
    );
  return {
    kind: 'index',
    index,
    ranges: [{ start, end }],
    reverse: false,
    exact: false,
    sorted,
    matched: 1,
    wholeKey: false,
    score: 0,
  };
}

const writer = new KeyWriter();

function keyOf({ fields }: Index, key: Doc): Buffer {
  const names = Object.keys(key);
  if (names.length !== fields.length || fields.some(({ path }, i) => path !== names[i]))
    throw new CommandError('Location51174', 'The index chosen is not compatible with min/max');
  writer.reset();
  for (const { path, descending } of fields) writer.writeField(key[path], descending);
  return writer.take();
}

/** Throws mongod's error for `min` and `max` that do not fit together or come without an index. */
export function checkBounds({ min, max }: KeyBounds, hint: unknown): void {
  if (!min && !max) return;
  if (min && max && compareValues(Object.keys(min), Object.keys(max)) !== 0)
    throw new CommandError('Location51176', 'min and max must have the same field names');
  if (typeof hint !== 'object')
    throw new CommandError('Location51173', 'When using min()/max() a hint of which index to use must be provided');
}
