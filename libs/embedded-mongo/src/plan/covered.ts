import { keyDocument, type KeyField } from '../bson/key-document';
import { readKey } from '../bson/key-reader';
import { isDoc, type Doc, type Value } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { isArrayIndex } from '../query/path';
import { type Collection, type Index } from '../storage/collection';
import { documentKey, recordOf, recordOfValue, recordBytes } from '../storage/keys';
import { type Entry, type Store } from '../storage/store';
import { type Plan } from './choose-plan';
import { Found, type Examined } from './execute';
import { type IndexScan } from './index-scan';

const prefixBytes = 6;
const pauseEvery = 64;

/** Whether the keys that a plan reads have in them all that is asked for, so that no document need be read. */
export function isCovered(plan: Plan, fields: readonly string[] | undefined): plan is IndexScan {
  if (!fields || plan.kind !== 'index' || !plan.exact || !plan.sorted) return false;
  const { index } = plan;
  if (index.multikey || index.truncated) return false;
  return fields.every((path) => index.fields.some((field) => field.path === path && !field.parts.some(isArrayIndex)));
}

/** Documents of only these fields, made of the keys of a plan. One whose key does not say what was stored is read. */
export function* coveredScan(
  store: Store,
  collection: Collection,
  plan: IndexScan,
  fields: readonly string[],
  examined: Examined,
  atOnce: number,
): Generator<Found | undefined> {
  const { index } = plan;
  index.usage.ops++;
  const descending = index.fields.map((field) => field.descending);
  const wanted = index.fields.map(({ path }) => fields.includes(path));
  const keyFields = keyFieldsOf(index, fields);
  for (const { key, value } of entries(store, plan, atOnce)) {
    if (++examined.keys % pauseEvery === 0) yield undefined;
    const record = index.unique ? recordOfValue(value) : recordOf(key);
    const codes = index.unique ? value.subarray(recordBytes) : value;
    const end = index.unique ? key.length : key.length - recordBytes;
    const document = keyFields && keyDocument(key, prefixBytes, end, keyFields, codes);
    const values = document ? undefined : readKey(key.subarray(prefixBytes, end), descending, wanted, codes);
    if (document) yield new Found(record, document, true);
    else if (values) yield new Found(record, writeDocument(documentOf(index, values)), true);
    else {
      examined.docs++;
      const bytes = store.get(documentKey(collection.number, record));
      if (bytes) yield new Found(record, bytes);
    }
  }
}

/** The fields of an index as they stand in a document; undefined when some are within others. */
function keyFieldsOf(index: Index, fields: readonly string[]): KeyField[] | undefined {
  if (index.fields.some(({ parts }) => parts.length > 1)) return undefined;
  return index.fields.map(({ path, descending }) => ({
    name: fields.includes(path) ? Buffer.from(`${path}\0`) : undefined,
    descending,
  }));
}

function* entries(store: Store, { index, ranges, reverse, wholeKey }: IndexScan, atOnce: number): Generator<Entry> {
  if (!wholeKey && !reverse && !index.truncated) {
    yield* store.entriesOf(ranges, atOnce);
    return;
  }
  for (const range of reverse ? ranges.toReversed() : ranges) {
    if (!wholeKey || index.truncated) yield* store.entries(range, reverse, atOnce);
    else {
      const value = store.get(range.start);
      if (value) yield { key: range.start, value };
    }
  }
}

function documentOf({ fields }: Index, values: (Value | undefined)[]): Doc {
  const doc: Doc = {};
  for (const [i, { parts }] of fields.entries()) {
    const value = values[i];
    if (value === undefined) continue;
    let inner = doc;
    for (const part of parts.slice(0, -1)) {
      const next = inner[part];
      inner = isDoc(next) ? next : (inner[part] = {});
    }
    inner[parts.at(-1)!] = value;
  }
  return doc;
}
