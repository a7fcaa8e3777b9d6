import type { Db } from 'mongodb';
import { EMPTY_LEDGER, type CreditEntry } from './credit-ledger';
import type { CreditLedger } from './mail-credits';
import { insertOnce } from '../organizations/organization-store';

/** The ledger: only ever inserted into. */
export async function mongoCreditLedger(db: Db): Promise<CreditLedger> {
  const collection = db.collection<CreditEntry>('credit_ledger');
  await collection.createIndex({ organizationId: 1, seq: 1 }, { unique: true });
  await collection.createIndex({ organizationId: 1, letterId: 1, letterOrdinal: 1 });
  return {
    tail: async (organizationId) =>
      (await collection.findOne(
        { organizationId },
        { sort: { seq: -1 }, projection: { _id: 0, seq: 1, balance: 1, reserved: 1 } },
      )) ?? EMPTY_LEDGER,
    find: (id) => collection.findOne({ _id: id }),
    lastOfLetter: (organizationId, letterId) =>
      collection.findOne({ organizationId, letterId }, { sort: { letterOrdinal: -1 } }),
    insert: (entry) => insertOnce(() => collection.insertOne(entry)),
    entries: (organizationId) => collection.find({ organizationId }).sort({ seq: 1 }),
  };
}
