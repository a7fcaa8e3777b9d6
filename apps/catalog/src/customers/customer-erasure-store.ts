import { AppError } from '@invoicing/errors';
import {
  historyCollection,
  openCollection,
  type Connection,
  type Held,
  type History,
  type Model,
  type PersonalSource,
  type UpdateQuery,
} from '@invoicing/mongo';
import type { Actor } from '@invoicing/rules';
import type { CustomerRecord } from './customer-store';

const ERASED = 'erased';
// What the documents that refer to a customer ask for stays with it (debtor accounts); how to reach the person does not.
const CONTACT = { 'details.email': 1, 'details.externalId': 1, vatCheck: 1 } as const;

/** Erases a customer in two steps, between which the other services do their part. Each may be repeated. */
export interface CustomerErasure {
  /** From now on nothing new can refer to the customer, and no payer is matched with it. */
  readonly begin: (seen: CustomerRecord, by: Actor) => Promise<CustomerRecord>;
  /** Removes the record; where invoices refer to it, only how to reach the person. Answers whether it is gone. */
  readonly finish: (seen: CustomerRecord, isReferredTo: boolean, by: Actor) => Promise<boolean>;
}

export const customerErasure = (customers: Model<CustomerRecord>, history: History): CustomerErasure => {
  const change = (seen: CustomerRecord, action: string, by: Actor, update: UpdateQuery<CustomerRecord>) =>
    history.change(customers, seen, {
      ...{ by, action: `customer.${action}`, fields: [], update },
      subject: { kind: 'customer', id: seen._id, label: ERASED },
    });
  return {
    begin: (seen, by) => {
      if (seen.erasedAt) return Promise.resolve(seen);
      const erasedAt = new Date();
      const $set = { erasedAt, archivedAt: seen.archivedAt ?? erasedAt };
      return change(seen, 'erasure_begun', by, { $set, $unset: { emailKey: 1, matchKey: 1, nameWords: 1 } });
    },
    finish: async (seen, isReferredTo, by) => {
      if (!seen.erasedAt) throw new AppError('conflict', 'conflict', 'nobody has begun to erase the customer');
      await change(
        seen,
        'erased',
        by,
        isReferredTo ? { $unset: CONTACT } : { $set: { details: { name: ERASED } }, $unset: { vatCheck: 1 } },
      );
      if (isReferredTo) return false;
      await history.copyNow(seen.organizationId);
      await customers.deleteOne({ organizationId: seen.organizationId, _id: seen._id });
      return true;
    },
  };
};

/** In what catalog may name a customer: the record itself, which `finish` takes away, and what the history calls it. */
export async function openPersonalData(
  connection: Connection,
  customers: Model<CustomerRecord>,
): Promise<PersonalSource[]> {
  const entries = await openCollection(connection, historyCollection);
  return [
    {
      data: 'catalog.customers',
      page: async ({ organizationId, customerId }) => ({
        items: await customers.find({ organizationId, _id: customerId }).lean<Held[]>().exec(),
      }),
    },
    {
      data: 'catalog.history',
      page: async ({ organizationId, customerId }) => ({
        // Their ids are the customer's and a revision.
        items: await entries
          .find({ organizationId, _id: { $gt: `${customerId}:`, $lt: `${customerId};` } })
          .lean<Held[]>()
          .exec(),
      }),
      erase: async ({ organizationId }, documents) => {
        const those = { organizationId, _id: { $in: documents.map(({ _id }) => _id) } };
        const { matchedCount } = await entries.updateMany(those, { $set: { 'subject.label': ERASED } });
        return { erased: matchedCount, postponed: 0 };
      },
    },
  ];
}
