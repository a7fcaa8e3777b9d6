import { nameEnd, valueEnd } from '../bson/elements';
import { isTree, type Leaf, type Projection, type Tree } from './projection-tree';

/** A projection of encoded documents. */
export type RawProjector = (bytes: Buffer) => Buffer;

/** The fields of a level by the bytes of their names: `true` is the whole field. */
interface RawField {
  name: Buffer;
  node: RawTree | true;
}

type RawTree = RawField[];

/**
 * A projection that only keeps or drops fields, done by copying the encoded fields that stay; undefined for one that computes,
 * slices or picks by position, for which documents have to be decoded.
 */
export function rawProjection({ inclusive, tree }: Projection): RawProjector | undefined {
  const raw = rawTree(tree);
  if (!raw) return undefined;
  return (bytes) => {
    room(bytes.length);
    at = 0;
    copyDocument(bytes, 0, raw, inclusive, false);
    return Buffer.from(out.subarray(0, at));
  };
}

function rawTree(tree: Tree): RawTree | undefined {
  const raw: RawTree = [];
  for (const [name, node] of tree) {
    const inner: RawTree | true | undefined = isTree(node) ? rawTree(node) : plainLeaf(node);
    if (inner === undefined) return undefined;
    raw.push({ name: Buffer.from(name), node: inner });
  }
  return raw;
}

const plainLeaf = (leaf: Leaf): true | undefined => (leaf === true ? true : undefined);

// One output for all: what is written is copied out before anything else can run.
let out = Buffer.allocUnsafe(64 * 1024);
let at = 0;

/** What stays is never longer than what was there. */
function room(size: number): void {
  if (out.length < size) out = Buffer.allocUnsafe(size * 2);
}

function copy(bytes: Buffer, start: number, end: number): void {
  bytes.copy(out, at, start, end);
  at += end - start;
}

/** Copies a document or an array that begins at `start`. Of an array every item is asked the same, and those that stay are numbered anew. */
function copyDocument(bytes: Buffer, start: number, tree: RawTree, inclusive: boolean, array: boolean): void {
  const head = at;
  at += 4;
  const end = start + bytes.readInt32LE(start) - 1;
  if (array) copyItems(bytes, start + 4, end, tree, inclusive);
  else copyFields(bytes, start + 4, end, tree, inclusive);
  out[at++] = 0;
  out.writeInt32LE(at - head, head);
}

function copyFields(bytes: Buffer, start: number, end: number, tree: RawTree, inclusive: boolean): void {
  let left = tree.length;
  // Fields side by side that stay as they are go in one piece.
  let run = start;
  let position = start;
  while (position < end && left > 0) {
    const type = bytes[position]!;
    const endOfName = nameEnd(bytes, position + 1);
    const next = valueEnd(bytes, type, endOfName + 1);
    const node = nodeAt(tree, bytes, position + 1, endOfName);
    if (node !== undefined) left--;
    const whole = node === undefined ? !inclusive : node === true ? inclusive : undefined;
    if (whole !== true) {
      copy(bytes, run, position);
      run = next;
      if (whole === undefined) copyInner(bytes, position, endOfName + 1, next, node as RawTree, inclusive);
    }
    position = next;
  }
  // Once nothing more is asked for, all that follows stays or all of it goes.
  copy(bytes, run, inclusive ? position : end);
}

/** What is asked of the field whose name is at this place. */
function nodeAt(tree: RawTree, bytes: Buffer, start: number, end: number): RawTree | true | undefined {
  const length = end - start;
  next: for (const { name, node } of tree) {
    if (name.length !== length) continue;
    for (let i = 0; i < length; i++) if (name[i] !== bytes[start + i]) continue next;
    return node;
  }
  return undefined;
}

/** A field of which parts are asked for: documents and arrays are gone into; of anything else there are no parts. */
function copyInner(bytes: Buffer, field: number, value: number, next: number, tree: RawTree, inclusive: boolean): void {
  const type = bytes[field]!;
  if (type === 0x03 || type === 0x04) {
    copy(bytes, field, value);
    copyDocument(bytes, value, tree, inclusive, type === 0x04);
  } else if (!inclusive) copy(bytes, field, next);
}

function copyItems(bytes: Buffer, start: number, end: number, tree: RawTree, inclusive: boolean): void {
  let kept = 0;
  for (let position = start; position < end;) {
    const type = bytes[position]!;
    const value = nameEnd(bytes, position + 1) + 1;
    const next = valueEnd(bytes, type, value);
    const nested = type === 0x03 || type === 0x04;
    if (nested || !inclusive) {
      out[at++] = type;
      at += out.write(String(kept++), at, 'latin1');
      out[at++] = 0;
      if (nested) copyDocument(bytes, value, tree, inclusive, type === 0x04);
      else copy(bytes, value, next);
    }
    position = next;
  }
}
