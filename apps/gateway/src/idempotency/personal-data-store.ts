import { nativeCollection, openCollection, type Connection, type PersonalSource } from '@invoicing/mongo';
import { keyCollection } from '../keys/key-store';
import { type IdempotencyRecord } from './idempotency-record';
import { idempotencyCollection, readRecord, type StoredRecord } from './idempotency-store';
import { redactAnswer } from './redact-answer';
import { packBody } from './stored-body';

const PAGE = 200;
// What is read at once; with one more answer well below a message's limit of 8 MiB.
const PAGE_BYTES = 3 * 1024 * 1024;

/** In what the gateway may name a customer: answers that are stored for repeats. */
export async function openPersonalData(connection: Connection): Promise<PersonalSource[]> {
  const keys = await openCollection(connection, keyCollection);
  const records = nativeCollection(await openCollection(connection, idempotencyCollection));
  /** Ids of records begin with the key that the request came with. */
  const after = async (organizationId: string, last: string | undefined): Promise<StoredRecord[]> => {
    const from = last?.split(':')[0] ?? '';
    const ofOrganization = await keys
      .find({ organizationId, _id: { $gte: from } }, { _id: 1 })
      .sort({ _id: 1 })
      .lean();
    for (const { _id } of ofOrganization) {
      const range = { $gt: _id === from ? last! : `${_id}:`, $lt: `${_id};` };
      const found = await records.find({ _id: range, state: 'done' }).sort({ _id: 1 }).limit(PAGE).toArray();
      if (found.length > 0) return found;
    }
    return [];
  };
  return [
    {
      data: 'gateway.idempotency',
      page: async ({ organizationId, customerId, subjectIds }, cursor) => {
        const ids = [customerId, ...subjectIds];
        const items: IdempotencyRecord[] = [];
        let bytes = 0;
        let next: string | undefined;
        for (const stored of await after(organizationId, cursor)) {
          const record = await readRecord(stored);
          const body = record.body ?? '';
          next = record._id;
          if (!ids.some((id) => body.includes(id))) continue;
          items.push(record);
          bytes += Buffer.byteLength(body);
          if (bytes > PAGE_BYTES) break;
        }
        return { items, ...(next !== undefined && { next }) };
      },
      erase: async (_person, documents) => {
        const answers = documents as readonly IdempotencyRecord[];
        const redacted = await Promise.all(answers.map(({ body }) => packBody(redactAnswer(body as string))));
        await records.bulkWrite(
          // What is done stays as it is, but for this: the same run of the same operation.
          answers.map(({ _id, opId, expiresAt }, at) => ({
            updateOne: { filter: { _id, opId, expiresAt, state: 'done' as const }, update: { $set: redacted[at]! } },
          })),
        );
        return { erased: answers.length, postponed: 0 };
      },
    },
  ];
}
