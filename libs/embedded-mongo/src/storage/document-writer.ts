import { ObjectId } from 'bson';
import { CommandError } from '../command-error';
import { readDocument } from '../bson/read-document';
import { isDoc, type Doc, type Value } from '../bson/value';
import { maxDocumentBytes, writeDocument } from '../bson/write-document';
import { describe } from '../bson/describe';
import { trimCapped } from './capped';
import { type Collection, type Index } from './collection';
import { indexKeys, keyValues, type IndexKeys } from './index-keys';
import { prefixRange, recordValue, slotPrefix } from './keys';
import { validate } from './validator';
import { type WriteTransaction } from './write-transaction';

/** Puts documents into one collection within a write transaction and keeps its indexes in step. */
export class DocumentWriter {
  constructor(
    private readonly transaction: WriteTransaction,
    public collection: Collection,
    private readonly bypassValidation = false,
  ) {
    const { db, name, options } = collection;
    if (options.viewOn !== undefined)
      throw new CommandError('CommandNotSupportedOnView', `Namespace ${db}.${name} is a view, not a collection`);
  }

  /** Inserts; returns the record number. `bytes` may be given when the document's encoding is at hand. */
  insert(doc: Doc, bytes?: Buffer): number {
    const complete = withId(doc);
    checkId(complete._id!);
    if (!this.bypassValidation) validate(this.collection, complete);
    const encoded = bytes && complete === doc ? bytes : writeDocument(complete);
    checkSize(encoded);
    const record = this.transaction.nextRecord(this.collection);
    for (const index of this.collection.indexes) this.addKeys(index, indexKeys(index, complete), record, complete);
    this.transaction.putDocument(this.collection, record, encoded, undefined);
    if (this.collection.options.capped === true) trimCapped(this.transaction, this, encoded.length);
    return record;
  }

  /** Replaces a stored document; false when nothing differs. `keysBefore`: `keysOf` the old one. */
  replace(record: number, oldBytes: Buffer, newDoc: Doc, keysBefore: { index: Index; keys: IndexKeys }[]): boolean {
    const encoded = writeDocument(newDoc);
    if (encoded.equals(oldBytes)) return false;
    checkSize(encoded);
    if (!this.bypassValidation && this.collection.options.validator !== undefined)
      validate(this.collection, newDoc, readDocument(oldBytes));
    for (const { index, keys } of keysBefore) this.moveKeys(index, keys, indexKeys(index, newDoc), record, newDoc);
    this.transaction.putDocument(this.collection, record, encoded, oldBytes);
    return true;
  }

  /** The keys of a document in every index that looks at one of these top-level fields; undefined: at any. `_id` never changes. */
  keysOf(doc: Doc, roots: ReadonlySet<string> | undefined): { index: Index; keys: IndexKeys }[] {
    return this.collection.indexes
      .filter((index) => index.slot !== 1 && concerns(index, roots))
      .map((index) => ({ index, keys: indexKeys(index, doc) }));
  }

  remove(record: number, oldBytes: Buffer): void {
    if (this.collection.options.capped === true) this.transaction.counters.extents.delete(this.collection.number);
    const oldDoc = readDocument(oldBytes);
    for (const index of this.collection.indexes) this.removeKeys(index, indexKeys(index, oldDoc), record);
    this.transaction.removeDocument(this.collection, record, oldBytes);
  }

  /** Adds one document's keys to an index; also how a new index is built. */
  addKeys(index: Index, { keys, multikey, truncated, codes }: IndexKeys, record: number, doc: Doc): void {
    for (const key of keys) this.addKey(index, key, codes, record, doc);
    if ((multikey && !index.multikey) || (truncated && !index.truncated)) this.flag(index, multikey, truncated);
  }

  private addKey(index: Index, key: Buffer, codes: Buffer, record: number, doc: Doc): void {
    const prefix = slotPrefix(this.collection.number, index.slot);
    if (!index.unique) {
      if (index.prepareUnique && this.isTaken(Buffer.concat([prefix, key])))
        throw duplicateKey(this.collection, index, doc, key);
      this.transaction.put(Buffer.concat([prefix, key, recordValue(record)]), codes, undefined);
      return;
    }
    const full = Buffer.concat([prefix, key]);
    if (this.transaction.store.has(full)) throw duplicateKey(this.collection, index, doc, key);
    this.transaction.put(full, Buffer.concat([recordValue(record), codes]), undefined);
  }

  private isTaken(key: Buffer): boolean {
    return this.transaction.store.count(prefixRange(key), 1) > 0;
  }

  private removeKeys(index: Index, { keys, codes }: Pick<IndexKeys, 'keys' | 'codes'>, record: number): void {
    const prefix = slotPrefix(this.collection.number, index.slot);
    const value = recordValue(record);
    for (const key of keys) {
      if (index.unique) this.transaction.remove(Buffer.concat([prefix, key]), Buffer.concat([value, codes]));
      else this.transaction.remove(Buffer.concat([prefix, key, value]), codes);
    }
  }

  private moveKeys(index: Index, before: IndexKeys, after: IndexKeys, record: number, doc: Doc): void {
    // The same key may stand for a value of another type.
    const sameCodes = before.codes.equals(after.codes);
    if (before.keys.length === 1 && after.keys.length === 1 && sameCodes && before.keys[0]!.equals(after.keys[0]!))
      return;
    const stays = (keys: Buffer[], key: Buffer): boolean => sameCodes && keys.some((other) => other.equals(key));
    const gone = before.keys.filter((key) => !stays(after.keys, key));
    const added = after.keys.filter((key) => !stays(before.keys, key));
    this.removeKeys(index, { keys: gone, codes: before.codes }, record);
    this.addKeys(index, { ...after, keys: added }, record, doc);
  }

  private flag(index: Index, multikey: boolean, truncated: boolean): void {
    const flagged = { ...index, multikey: index.multikey || multikey, truncated: index.truncated || truncated };
    const indexes = this.collection.indexes.map((other) => (other.slot === index.slot ? flagged : other));
    this.collection = { ...this.collection, indexes };
    this.transaction.setCollection(this.collection);
  }
}

/** Whether an index looks at one of these top-level fields. */
const concerns = ({ fields, partial }: Index, roots: ReadonlySet<string> | undefined): boolean =>
  roots === undefined || partial !== undefined || fields.some(({ parts }) => roots.has(parts[0]!));

/** `_id` comes first in every stored document. */
function withId(doc: Doc): Doc {
  if (Object.hasOwn(doc, '_id')) {
    for (const first in doc) return first === '_id' ? doc : { _id: doc._id!, ...doc };
  }
  return { _id: new ObjectId(), ...doc };
}

function checkId(id: Value): void {
  const refused = Array.isArray(id)
    ? 'array'
    : (id as { _bsontype?: string } | null)?._bsontype === 'BSONRegExp'
      ? 'regex'
      : undefined;
  if (refused) throw new CommandError('InvalidIdField', `The '_id' value cannot be of type ${refused}`);
  if (!isDoc(id)) return;
  const operator = Object.keys(id).find(
    (name) => name.startsWith('$') && name !== '$ref' && name !== '$id' && name !== '$db',
  );
  if (operator)
    throw new CommandError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${operator} is not valid for storage.`,
    );
}

function checkSize(bytes: Buffer): void {
  if (bytes.length <= maxDocumentBytes) return;
  throw new CommandError(
    'BSONObjectTooLarge',
    `BSONObj size: ${bytes.length} (0x${bytes.length.toString(16).toUpperCase()}) is invalid. Size must be between 0 and ${maxDocumentBytes}(16MB)`,
  );
}

function duplicateKey({ db, name }: Collection, index: Index, doc: Doc, key: Buffer): CommandError {
  const values = keyValues(index, doc, key);
  const keyValue: Doc = Object.fromEntries(index.fields.map(({ path }, i) => [path, values[i]!]));
  return new CommandError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${db}.${name} index: ${index.name} dup key: ${describe(keyValue)}`,
    { keyPattern: index.key, keyValue },
  );
}
