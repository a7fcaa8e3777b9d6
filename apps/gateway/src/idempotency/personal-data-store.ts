import { nativeCollection, openCollection, type Connection, type Held, type PersonalSource } from '@invoicing/mongo';
import { keyCollection } from '../keys/key-store';
import { type IdempotencyRecord } from './idempotency-record';
import { idempotencyCollection } from './idempotency-store';
import { redactAnswer } from './redact-answer';

const PAGE = 200;

/** In what the gateway may name a customer: answers that are stored for repeats. */
export async function openPersonalData(connection: Connection): Promise<PersonalSource[]> {
  const keys = await openCollection(connection, keyCollection);
  const records = nativeCollection(await openCollection(connection, idempotencyCollection));
  /** Ids of records begin with the key that the request came with. */
  const after = async (organizationId: string, last: string | undefined): Promise<IdempotencyRecord[]> => {
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
        const found = await after(organizationId, cursor);
        const ids = [customerId, ...subjectIds];
        const items = found.filter(({ body }) => body !== null && ids.some((id) => body.includes(id)));
        const last = found.at(-1);
        return { items, ...(last && { next: last._id }) };
      },
      erase: async (_person, documents) => {
        const answers = documents as readonly (Held & { readonly body: string })[];
        await records.bulkWrite(
          answers.map(({ _id, body }) => ({
            updateOne: {
              filter: { _id, state: 'done' as const, body },
              update: { $set: { body: redactAnswer(body) } },
            },
          })),
        );
        return { erased: answers.length, postponed: 0 };
      },
    },
  ];
}
