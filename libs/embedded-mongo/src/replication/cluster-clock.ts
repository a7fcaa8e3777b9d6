import { Binary, Timestamp } from 'bson';
import { writeDocument } from '../bson/write-document';

const at = new Timestamp({ t: 0x01020304, i: 0x05060708 });
const marker = Buffer.from('0807060504030201', 'hex');

/** Field names and types once; only the two timestamps change. Nothing is signed: there is no authentication. */
const template = writeDocument({
  $clusterTime: { clusterTime: at, signature: { hash: new Binary(Buffer.alloc(20)), keyId: 0n } },
  operationTime: at,
}).subarray(4, -1);
const clusterTimeAt = template.indexOf(marker);
const operationTimeAt = template.indexOf(marker, clusterTimeAt + 1);

/** The logical clock of the replica set: seconds, and a counter within them. Grows with every write, also across a restart. */
export class ClusterClock {
  private seconds = 0;
  private counter = 0;
  private fields = template;

  constructor() {
    this.tick();
  }

  /** Something was written. */
  tick(): void {
    const now = Math.floor(Date.now() / 1000);
    if (now > this.seconds) {
      this.seconds = now;
      this.counter = 1;
    } else this.counter++;
    const fields = Buffer.from(template);
    for (const offset of [clusterTimeAt, operationTimeAt]) {
      fields.writeUInt32LE(this.counter, offset);
      fields.writeUInt32LE(this.seconds, offset + 4);
    }
    this.fields = fields;
  }

  get now(): Timestamp {
    return new Timestamp({ t: this.seconds, i: this.counter });
  }

  /** `$clusterTime` and `operationTime` as every reply ends with them: encoded fields of a document. */
  get replyFields(): Buffer {
    return this.fields;
  }
}
