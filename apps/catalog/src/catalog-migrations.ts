import type { AnyBulkWriteOperation, Migration } from '@invoicing/mongo';
import type { CustomerRecord } from './customers/customer-store';
import { nameWords } from './customers/name-words';

const BATCH = 500;

/** What brings a store of the versions before up to this one, in order. */
export const catalogMigrations: readonly Migration[] = [
  {
    name: 'customers-are-found-by-words',
    run: async (db) => {
      const customers = db.collection<CustomerRecord>('customers');
      let batch: AnyBulkWriteOperation<CustomerRecord>[] = [];
      const write = async (): Promise<void> => {
        if (batch.length > 0) await customers.bulkWrite(batch, { ordered: false });
        batch = [];
      };
      const unknown = { nameWords: { $exists: false }, erasedAt: { $exists: false } };
      for await (const { organizationId, _id, details } of customers.find(unknown)) {
        const filter = { organizationId, _id, 'details.name': details.name };
        batch.push({ updateOne: { filter, update: { $set: { nameWords: nameWords(details) } } } });
        if (batch.length === BATCH) await write();
      }
      await write();
    },
  },
];
