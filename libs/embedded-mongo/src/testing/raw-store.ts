import { open, type RootDatabase } from 'lmdb';
import { documentKey, slotPrefix, recordOf } from '../storage/keys';
import { measure, type Measured } from './measure';

const collection = 1;
const document = Buffer.alloc(330, 'x');

/** The key operations of the store without the store: a document, an `_id` and one index entry each, with the same durability. */
export class RawStore {
  private readonly db: RootDatabase<Buffer, Buffer>;
  private count = 0;

  constructor(path: string) {
    this.db = open({
      path,
      noSubdir: true,
      overlappingSync: false,
      keyEncoding: 'binary',
      encoding: 'binary',
      mapSize: 2 ** 34,
    });
  }

  insert(howMany: number): Promise<void> {
    return this.db.transaction(() => {
      for (let i = 0; i < howMany; i++) this.put(this.count++);
    });
  }

  /** What group commit could reach: every commit full. */
  async grouped(size: number, forMs: number): Promise<Measured> {
    const groups = await measure(1, forMs, () => this.insert(size));
    return { ...groups, perSecond: groups.perSecond * size };
  }

  find(i: number): Buffer {
    const [key] = this.db.getKeys({ start: this.indexKey(i % this.count), limit: 1 });
    return this.document(recordOf(key as Buffer));
  }

  list(howMany: number): Buffer[] {
    const start = this.indexKey(Math.floor((Math.random() * this.count) / 2));
    return [...this.db.getKeys({ start, limit: howMany })].map((key) => this.document(recordOf(key as Buffer)));
  }

  close(): Promise<void> {
    return this.db.close();
  }

  private document(record: number): Buffer {
    return this.db.getBinary(documentKey(collection, record))!;
  }

  private put(i: number): void {
    const id = Buffer.alloc(13);
    id.writeUInt32BE(i, 9);
    void this.db.put(Buffer.concat([slotPrefix(collection, 1), id]), documentKey(collection, i).subarray(6));
    void this.db.put(this.indexKey(i), Buffer.alloc(0));
    void this.db.put(documentKey(collection, i), document);
  }

  private indexKey(i: number): Buffer {
    const organisation = Buffer.from(`org-${i % 100}\0\x01`);
    return Buffer.concat([
      slotPrefix(collection, 2),
      organisation,
      Buffer.alloc(5),
      documentKey(collection, i).subarray(6),
    ]);
  }
}
