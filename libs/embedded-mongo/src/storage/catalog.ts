import { Binary } from 'bson';
import { randomUUID } from 'node:crypto';
import { CommandError } from '../command-error';
import { readDocument } from '../bson/read-document';
import { isDoc, type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { namespaceOf, type Collection, type Index } from './collection';
import { parseIndexSpec } from './index-spec';
import { prefixRange } from './keys';
import { type Store } from './store';

const catalogNumber = Buffer.alloc(4);
const collectionPrefix = Buffer.concat([catalogNumber, Buffer.from('c')]);
const droppedPrefix = Buffer.concat([catalogNumber, Buffer.from('d')]);
const nextNumberKey = Buffer.concat([catalogNumber, Buffer.from('n')]);

const keyOf = (namespace: string): Buffer => Buffer.concat([collectionPrefix, Buffer.from(namespace)]);

/** Data whose collection or index is gone but whose keys are still there, to be removed a piece at a time. */
export const droppedKey = (prefix: Buffer): Buffer => Buffer.concat([droppedPrefix, prefix]);
export const droppedRange = prefixRange(droppedPrefix);
/** The key prefix that a record of a dropped collection or index names. */
export const droppedOf = (key: Buffer): Buffer => key.subarray(droppedPrefix.length);

/** Collections by namespace. */
export type Collections = ReadonlyMap<string, Collection>;

/** Which collections and indexes exist. Readers see `visible`, which follows the durable commits; writers see their own. */
export class Catalog {
  visible: Collections;
  writing: Map<string, Collection>;

  constructor(private readonly store: Store) {
    const collections = [...store.entries(prefixRange(collectionPrefix))].map(({ value }) =>
      parseCollection(readDocument(value)),
    );
    this.writing = new Map(collections.map((collection) => [namespaceOf(collection.db, collection.name), collection]));
    this.visible = new Map(this.writing);
  }

  publish(): void {
    this.visible = new Map(this.writing);
  }

  revert(): void {
    this.writing = new Map(this.visible);
  }

  nextNumber(): number {
    const bytes = this.store.get(nextNumberKey);
    const number = bytes ? bytes.readUInt32BE(0) : 1;
    const next = Buffer.alloc(4);
    next.writeUInt32BE(number + 1);
    this.store.put(nextNumberKey, next);
    return number;
  }
}

/** A collection as it begins: with its `_id` index. */
export function newCollection(number: number, db: string, name: string, options: Doc): Collection {
  const uuid = new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), Binary.SUBTYPE_UUID);
  return {
    number,
    db,
    name,
    options,
    uuid,
    indexes: [parseIndexSpec(idIndex(options), 1)],
    nextSlot: 2,
  };
}

const idIndex = ({ clusteredIndex }: Doc): Doc =>
  isDoc(clusteredIndex) ? { ...clusteredIndex, clustered: true } : { key: { _id: 1 }, name: '_id_' };

/** A collection as the catalog keeps it. */
export const catalogEntry = (collection: Collection): { key: Buffer; value: Buffer } => ({
  key: keyOf(namespaceOf(collection.db, collection.name)),
  value: writeDocument({
    ...collection,
    indexes: collection.indexes.map(({ spec, slot, multikey, truncated }) => ({ spec, slot, multikey, truncated })),
  }),
});

/** The catalog's key of a namespace. */
export const catalogKey = (namespace: string): Buffer => keyOf(namespace);

function parseCollection(doc: Doc): Collection {
  const { number, db, name, options, uuid, nextSlot } = doc;
  const indexes = (doc.indexes as Doc[]).map(({ spec, slot, multikey, truncated }): Index => ({
    ...parseIndexSpec(spec as Doc, slot as number),
    multikey: multikey as boolean,
    truncated: truncated as boolean,
  }));
  return { number, db, name, options, uuid, nextSlot, indexes } as unknown as Collection;
}

const maxNamespaceBytes = 255;

/** Refuses names that nothing may be written to. */
export function checkNamespace(db: string, name: string): void {
  if (db === '' || /[/\\. "$\0]/.test(db) || db.length > 63)
    throw new CommandError('InvalidNamespace', `Invalid database name: '${db}'`);
  if (name === '') throw new CommandError('InvalidNamespace', `Invalid namespace specified '${db}.'`);
  if (name.includes('$') || name.includes('\0') || name.startsWith('.')) {
    throw new CommandError('InvalidNamespace', `Invalid collection name: ${name}`);
  }
  if (name.startsWith('system.')) throw new CommandError('InvalidNamespace', `cannot write to '${db}.${name}'`);
  if (Buffer.byteLength(namespaceOf(db, name)) > maxNamespaceBytes) {
    throw new CommandError(
      'InvalidNamespace',
      `Fully qualified namespace is too long. Namespace: ${db}.${name} Max: ${maxNamespaceBytes}`,
    );
  }
}
