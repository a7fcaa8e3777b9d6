import { toDouble } from '../bson/arithmetic';
import { type Value } from '../bson/value';
import { type Collection } from './collection';
import { documentRange, recordOf } from './keys';
import { type WriteTransaction } from './write-transaction';

interface Extent {
  documents: number;
  bytes: number;
}

/** The part of a writer that is needed here. */
interface Remover {
  readonly collection: Collection;
  remove: (record: number, oldBytes: Buffer) => void;
}

/** A capped collection keeps its newest documents: the oldest go when there are too many or they are too large together. */
export function trimCapped(transaction: WriteTransaction, writer: Remover, addedBytes: number): void {
  const { collection } = writer;
  const { size, max } = collection.options as { size?: Value; max?: Value };
  const mostBytes = size === undefined ? Infinity : Math.ceil(toDouble(size) / 256) * 256;
  const mostDocuments = max === undefined ? Infinity : toDouble(max) || Infinity;
  const { extents } = transaction.counters;
  const known = extents.get(collection.number);
  const extent = known
    ? { documents: known.documents + 1, bytes: known.bytes + addedBytes }
    : measure(transaction, collection);
  while (extent.documents > 1 && (extent.documents > mostDocuments || extent.bytes > mostBytes)) {
    const [oldest] = transaction.store.entries(documentRange(collection.number), false, 1);
    writer.remove(recordOf(oldest!.key), oldest!.value);
    extent.documents--;
    extent.bytes -= oldest!.value.length;
  }
  transaction.remember(extents, collection.number, extent);
}

function measure({ store }: WriteTransaction, { number }: Collection): Extent {
  const extent = { documents: 0, bytes: 0 };
  for (const { value } of store.entries(documentRange(number))) {
    extent.documents++;
    extent.bytes += value.length;
  }
  return extent;
}
