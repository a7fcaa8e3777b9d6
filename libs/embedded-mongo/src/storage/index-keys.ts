import { createHash } from 'node:crypto';
import { collated } from '../bson/collation';
import { CommandError } from '../command-error';
import { getField, isDoc, type Doc, type Value } from '../bson/value';
import { keyCodes } from '../bson/key-reader';
import { KeyWriter } from '../bson/value-key';
import { isArrayIndex } from '../query/path';
import { describe } from '../bson/describe';
import { type Index } from './collection';

/** LMDB takes keys of up to 1978 bytes; the collection, slot and record number take 12 of them. */
const maxKeyBytes = 1900;

/** The keys of one document in one index. */
export interface IndexKeys {
  /** The encoded field values, one entry for each element of an indexed array, without repeats. */
  keys: Buffer[];
  multikey: boolean;
  truncated: boolean;
  /** How the values of the one key are read back from it; nothing where there are several keys. */
  codes: Buffer;
}

const noCodes = Buffer.alloc(0);
const none: IndexKeys = { keys: [], multikey: false, truncated: false, codes: noCodes };
const writer = new KeyWriter();

/** The keys under which an index holds a document; none when it is sparse or partial and leaves the document out. */
export function indexKeys(index: Index, doc: Doc): IndexKeys {
  const { partial } = index;
  // What is in an index depends on no command's collation.
  if (partial && !collated(undefined, () => partial.matches(doc))) return none;
  const fields = index.fields;
  if (fields.length === 1 && fields[0]!.parts.length === 1) {
    const value = getField(doc, fields[0]!.path);
    if (value === undefined && index.sparse) return none;
    if (!Array.isArray(value)) return finish([encode(index, [value])], false, [value]);
  }
  const { tuples, multikey } = tuplesOf(index, doc);
  const kept = index.sparse ? tuples.filter((tuple) => tuple.some((value) => value !== undefined)) : tuples;
  return finish(
    kept.map((tuple) => encode(index, tuple)),
    multikey,
    kept[0],
  );
}

/** The field values that a document has in an index under one of its keys. */
export function keyValues(index: Index, doc: Doc, key: Buffer): Value[] {
  const { tuples } = tuplesOf(index, doc);
  const found = tuples.find((tuple) => cut(encode(index, tuple)).equals(key)) ?? [];
  return index.fields.map((_field, i) => (found[i] === emptyArray ? null : ((found[i] as Value | undefined) ?? null)));
}

function tuplesOf(index: Index, doc: Doc): { tuples: Tuple[]; multikey: boolean } {
  const tuples: Tuple[] = [];
  const multikey = expand(
    index.fields.map(({ parts }) => ({ value: doc, parts, depth: 0, arrays: 0 })),
    tuples,
    index,
  );
  return { tuples, multikey };
}

/** An empty array is indexed as BSON's undefined, which sorts below null; a missing field is indexed as null. */
const emptyArray = Symbol('empty array');

type Tuple = (Value | undefined | typeof emptyArray)[];

interface Walk {
  value: Value | undefined | typeof emptyArray;
  parts: string[];
  depth: number;
  /** How many arrays were entered, so that an array inside an array at the end is a value. */
  arrays: number;
}

function expand(walks: Walk[], tuples: Tuple[], index: Index): boolean {
  let array: { prefix: string; items: Value[] } | undefined;
  const paused: boolean[] = [];
  for (const [i, walk] of walks.entries()) {
    advance(walk);
    paused[i] = Array.isArray(walk.value) && !(walk.depth === walk.parts.length && walk.arrays < 0);
    if (!paused[i]) continue;
    const prefix = walk.parts.slice(0, walk.depth).join('.');
    if (array && array.prefix !== prefix) {
      throw new CommandError(
        'CannotIndexParallelArrays',
        `cannot index parallel arrays [${walk.parts[walk.depth - 1]}] [${array.prefix}]`,
      );
    }
    array = { prefix, items: walk.value as Value[] };
  }
  if (!array) {
    tuples.push(walks.map(({ value }) => value));
    return false;
  }
  const items: (Value | typeof emptyArray)[] = array.items.length > 0 ? array.items : [emptyArray];
  for (const item of items) {
    expand(
      walks.map((walk, i) => (paused[i] ? enter(walk, item) : { ...walk })),
      tuples,
      index,
    );
  }
  return true;
}

/** Follows the path up to its end, an array, or nothing. */
function advance(walk: Walk): void {
  while (walk.depth < walk.parts.length && walk.value !== undefined && walk.value !== emptyArray) {
    const part = walk.parts[walk.depth]!;
    const value = walk.value as Value;
    if (isDoc(value)) walk.value = getField(value, part);
    else if (Array.isArray(value) && isArrayIndex(part) && Number(part) < value.length) {
      refuseAmbiguous(value, part);
      walk.value = value[Number(part)];
      // What is asked for by its position is one value.
      if (walk.depth === walk.parts.length - 1) walk.arrays = -1;
    } else if (Array.isArray(value)) return;
    else walk.value = undefined;
    walk.depth++;
  }
}

function refuseAmbiguous(array: Value[], part: string): void {
  if (!array.some((item) => isDoc(item) && Object.hasOwn(item, part))) return;
  throw new CommandError(
    'Location16746',
    `Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), field: '${part}' for array: ${describe(array)}`,
  );
}

/** One element of the array a walk paused at. At the path's end the element is the value, even when it is an array. */
function enter(walk: Walk, item: Value | typeof emptyArray): Walk {
  const atEnd = walk.depth === walk.parts.length;
  if (atEnd) return { ...walk, value: item, arrays: -1 };
  if (item === emptyArray) return { ...walk, value: emptyArray, depth: walk.parts.length };
  return { ...walk, value: isDoc(item) ? item : undefined };
}

function encode(index: Index, tuple: Tuple): Buffer {
  writer.reset();
  for (const [i, value] of tuple.entries()) {
    const descending = index.fields[i]!.descending;
    writer.writeField(value === emptyArray ? undefined : ((value as Value | undefined) ?? null), descending);
  }
  return writer.take();
}

function finish(keys: Buffer[], multikey: boolean, tuple: Tuple | undefined): IndexKeys {
  let truncated = false;
  const unique = keys.length > 1 ? new Map(keys.map((key) => [key.toString('latin1'), key])).values() : keys;
  const fitting = [...unique].map((key) => {
    if (key.length <= maxKeyBytes) return key;
    truncated = true;
    return cut(key);
  });
  const codes = multikey || truncated || !tuple ? noCodes : keyCodes(tuple);
  return { keys: fitting, multikey, truncated, codes };
}

/** A key too long for LMDB: its beginning keeps the order, a hash of all of it keeps it unique. */
export const cut = (key: Buffer): Buffer =>
  key.length <= maxKeyBytes
    ? key
    : Buffer.concat([key.subarray(0, maxKeyBytes - 20), createHash('sha1').update(key).digest()]);
