import { type Catalog, catalogEntry, catalogKey, checkNamespace, droppedKey, newCollection } from './catalog';
import { namespaceOf, type Collection } from './collection';
import {
  checksumKey,
  checksumOf,
  checksumSlot,
  documentKey,
  documentRange,
  documentSlot,
  maxRecord,
  recordOf,
  slotPrefix,
} from './keys';
import { type Counters } from './counters';
import { type Store } from './store';
import { type Doc } from '../bson/value';

/**
 * What one batch of write commands does to the store. Each command can be undone alone (LMDB's own nested
 * transactions cost more than a whole command), so commands of many connections share one durable commit.
 */
export class WriteTransaction {
  private undo: (() => void)[] = [];
  private catalogChanged = false;

  constructor(
    readonly store: Store,
    readonly catalog: Catalog,
    readonly counters: Counters,
  ) {}

  get hasChanges(): boolean {
    return this.undo.length > 0;
  }

  mark(): number {
    return this.undo.length;
  }

  rollback(mark: number): void {
    while (this.undo.length > mark) this.undo.pop()!();
  }

  committed(): void {
    if (this.catalogChanged) this.catalog.publish();
  }

  /** `old` is the value that the key has now. */
  put(key: Buffer, value: Buffer, old: Buffer | undefined): void {
    this.undo.push(old ? () => this.store.put(key, old) : () => this.store.remove(key));
    this.store.put(key, value);
  }

  remove(key: Buffer, old: Buffer): void {
    this.undo.push(() => this.store.put(key, old));
    this.store.remove(key);
  }

  nextRecord(collection: Collection): number {
    let next = this.counters.nextRecord.get(collection.number);
    if (next === undefined) {
      const [last] = this.store.keys(documentRange(collection.number), true, 1);
      next = last ? recordOf(last) + 1 : 1;
    }
    if (next > maxRecord) throw new Error(`collection ${collection.name} is out of record numbers`);
    this.counters.nextRecord.set(collection.number, next + 1);
    return next;
  }

  /** Stores a document with its checksum. `old` are the bytes that it has now. */
  putDocument({ number }: Collection, record: number, bytes: Buffer, old: Buffer | undefined): void {
    this.put(documentKey(number, record), bytes, old);
    this.put(checksumKey(number, record), checksumOf(bytes), old && checksumOf(old));
  }

  removeDocument({ number }: Collection, record: number, old: Buffer): void {
    this.remove(documentKey(number, record), old);
    this.remove(checksumKey(number, record), checksumOf(old));
  }

  /** Sets what is known of a collection, until the command fails. */
  remember<T>(known: Map<number, T>, number: number, value: T): void {
    const before = known.get(number);
    known.set(number, value);
    this.undo.push(() => (before === undefined ? known.delete(number) : known.set(number, before)));
  }

  collection(db: string, name: string): Collection | undefined {
    return this.catalog.writing.get(namespaceOf(db, name));
  }

  createCollection(db: string, name: string, options: Doc = {}): Collection {
    checkNamespace(db, name);
    const collection = newCollection(this.catalog.nextNumber(), db, name, options);
    this.setCollection(collection);
    return collection;
  }

  setCollection(collection: Collection): void {
    const namespace = namespaceOf(collection.db, collection.name);
    const { key, value } = catalogEntry(collection);
    this.put(key, value, this.store.get(key));
    this.replace(namespace, collection);
  }

  moveCollection(source: Collection, db: string, name: string): void {
    const from = namespaceOf(source.db, source.name);
    const key = catalogKey(from);
    this.remove(key, this.store.get(key)!);
    this.replace(from, undefined);
    this.setCollection({ ...source, db, name });
  }

  dropCollection(collection: Collection): void {
    const namespace = namespaceOf(collection.db, collection.name);
    const key = catalogKey(namespace);
    this.remove(key, this.store.get(key)!);
    this.replace(namespace, undefined);
    for (const slot of [documentSlot, checksumSlot]) this.discard(slotPrefix(collection.number, slot));
    for (const { slot } of collection.indexes) this.discard(slotPrefix(collection.number, slot));
  }

  /** Leaves the keys under a prefix to the sweeper. */
  discard(prefix: Buffer): void {
    this.put(droppedKey(prefix), Buffer.alloc(0), undefined);
  }

  private replace(namespace: string, collection: Collection | undefined): void {
    const { writing } = this.catalog;
    const before = writing.get(namespace);
    const set = (value: Collection | undefined): void => {
      if (value) writing.set(namespace, value);
      else writing.delete(namespace);
    };
    set(collection);
    this.catalogChanged = true;
    this.undo.push(() => set(before));
  }
}
