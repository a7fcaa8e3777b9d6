import { readDocument } from '../bson/read-document';
import { type Doc, type Value } from '../bson/value';
import { type Collection, type Index } from './collection';
import { indexKeys } from './index-keys';
import {
  checksumKey,
  checksumOf,
  documentKey,
  documentRange,
  prefixRange,
  recordOf,
  recordOfValue,
  recordValue,
  slotPrefix,
} from './keys';
import { type Store } from './store';

/** An index entry that should be there and is not, or is there and should not. */
export interface WrongEntry {
  indexName: string;
  recordId: bigint;
  idKey?: Value;
}

/** What `validate` found. */
export interface Findings {
  records: number;
  /** Record numbers whose bytes are no document, or are not those that were written. */
  corrupt: bigint[];
  /** Documents that have no checksum: not written since there are any. */
  unchecked: number;
  keysPerIndex: Map<string, number>;
  missing: WrongEntry[];
  extra: WrongEntry[];
}

const pauseEvery = 64;

/**
 * Holds every document against every index and every index entry against its document. Each comparison is made on one state
 * of the store, so writers need not wait; between two of them others may be let in.
 */
export function* checkCollection(store: Store, collection: Collection): Generator<undefined, Findings> {
  const findings: Findings = { records: 0, corrupt: [], unchecked: 0, keysPerIndex: new Map(), missing: [], extra: [] };
  for (const { key, value } of store.entries(documentRange(collection.number))) {
    if (++findings.records % pauseEvery === 0) yield undefined;
    checkDocument(store, collection, recordOf(key), value, findings);
  }
  for (const index of collection.indexes) yield* checkIndex(store, collection, index, findings);
  return findings;
}

const decoded = (bytes: Buffer): Doc | undefined => {
  try {
    return readDocument(bytes);
  } catch {
    return undefined; // reported as corrupt
  }
};

const recordIn = (value: Buffer | undefined): number | undefined => value && recordOfValue(value);

function checkDocument(store: Store, collection: Collection, record: number, bytes: Buffer, findings: Findings): void {
  const checksum = store.get(checksumKey(collection.number, record));
  if (!checksum) findings.unchecked++;
  const doc = checksum && !checksum.equals(checksumOf(bytes)) ? undefined : decoded(bytes);
  if (!doc) {
    findings.corrupt.push(BigInt(record));
    return;
  }
  for (const index of collection.indexes) {
    const prefix = slotPrefix(collection.number, index.slot);
    for (const key of indexKeys(index, doc).keys) {
      const there = index.unique
        ? recordIn(store.get(Buffer.concat([prefix, key]))) === record
        : store.has(Buffer.concat([prefix, key, recordValue(record)]));
      if (!there) findings.missing.push({ indexName: index.name, recordId: BigInt(record), idKey: doc._id! });
    }
  }
}

function* checkIndex(
  store: Store,
  collection: Collection,
  index: Index,
  findings: Findings,
): Generator<undefined, void> {
  const prefix = slotPrefix(collection.number, index.slot);
  let entries = 0;
  for (const { key, value } of store.entries(prefixRange(prefix))) {
    if (++entries % pauseEvery === 0) yield undefined;
    const record = index.unique ? recordOfValue(value) : recordOf(key);
    const wanted = index.unique ? key.subarray(prefix.length) : key.subarray(prefix.length, -6);
    const bytes = store.get(documentKey(collection.number, record));
    const doc = bytes && decoded(bytes);
    if (!doc || !indexKeys(index, doc).keys.some((other) => other.equals(wanted)))
      findings.extra.push({ indexName: index.name, recordId: BigInt(record), ...(doc && { idKey: doc._id! }) });
  }
  findings.keysPerIndex.set(index.name, entries);
}
