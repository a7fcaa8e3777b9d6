import { type Collection, type Index } from './collection';
import { documentRange, prefixRange, slotPrefix } from './keys';
import { type KeyRange, type Store } from './store';

/** How much something takes: `bytes` of BSON, `stored` with the keys. Pages of the file are shared by all, so it is not known more exactly. */
export interface Size {
  count: number;
  bytes: number;
  stored: number;
}

const pauseEvery = 256;

/** Adds up what is there, with pauses in which others may be let in. */
export const documentSize = (store: Store, { number }: Collection): Generator<undefined, Size> =>
  sizeOf(store, documentRange(number));

/** Size of an index; yields between batches, so that others have a turn. */
export const indexSize = (store: Store, { number }: Collection, { slot }: Index): Generator<undefined, Size> =>
  sizeOf(store, prefixRange(slotPrefix(number, slot)));

function* sizeOf(store: Store, range: KeyRange): Generator<undefined, Size> {
  const size: Size = { count: 0, bytes: 0, stored: 0 };
  for (const { key, value } of store.entries(range)) {
    if (++size.count % pauseEvery === 0) yield undefined;
    size.bytes += value.length;
    size.stored += key.length + value.length;
  }
  return size;
}
