import { deleteSome, nativeCollection, openCollection, type Connection, type Purges } from '@invoicing/mongo';
import { sessionCollection, type SessionDocument } from './sessions/session-store';

/** No money came, and none is on its way: the provider was asked until nothing was left to learn. */
const NEVER_PAID = { kind: 'checkout', dueAt: null, 'attempts.status': { $nin: ['paid', 'mismatched'] } } as const;
/** The invoice is there, with all that it needs of the payer. */
const SETTLED = { 'fulfilment.status': 'done' } as const;
const SEEN = { organizationId: 1, revision: 1 } as const;

/** What checkout purges because of its age. */
export async function openPurges(connection: Connection): Promise<Purges> {
  const model = await openCollection(connection, sessionCollection);
  const native = nativeCollection(model);
  return {
    neverPaidCheckouts: (before, limit) =>
      deleteSome(model, { status: 'expired', expiresAt: { $lt: before }, ...NEVER_PAID }, limit),
    payerDetails: async (before, limit) => {
      const paidLongAgo = { paidAt: { $lt: before }, 'attempts.payer.email': { $exists: true }, ...SETTLED };
      const found = await native.find(paidLongAgo, { projection: SEEN, limit }).toArray();
      if (found.length === 0) return { found: 0, purged: 0 };
      const { modifiedCount } = await native.bulkWrite(found.map(forgetPayer), { ordered: false });
      return { found: found.length, purged: modifiedCount };
    },
  };
}

/** Takes the payer's details out of a session that is still as it was seen. */
export const forgetPayer = ({ organizationId, _id, revision }: Pick<SessionDocument, '_id' | keyof typeof SEEN>) => ({
  updateOne: {
    filter: { organizationId, _id, revision },
    update: { $set: { 'attempts.$[].payer': null, prefill: {} }, $inc: { revision: 1 } },
  },
});
