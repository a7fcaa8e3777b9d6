import {
  declareCollection,
  eachDocument,
  insertOnce,
  oneOf,
  openCollection,
  required,
  type Connection,
} from '@invoicing/mongo';
import { EMPTY_LEDGER, type CreditEntry, type LedgerState } from './credit-ledger';
import type { CreditLedger } from './mail-credits';

const creditCollection = declareCollection<CreditEntry>('credit_ledger', {
  shardKey: { organizationId: 1 },
  fields: {
    organizationId: required(String),
    seq: required(Number),
    kind: oneOf('grant', 'reserve', 'consume', 'release'),
    credits: Number,
    reason: String,
    letterId: String,
    letterOrdinal: Number,
    balance: required(Number),
    reserved: required(Number),
    createdAt: required(Date),
  },
  indexes: [[{ organizationId: 1, seq: 1 }, { unique: true }], [{ organizationId: 1, letterId: 1, letterOrdinal: 1 }]],
});

/** The ledger: only ever inserted into. */
export async function mongoCreditLedger(connection: Connection): Promise<CreditLedger> {
  const entries = await openCollection(connection, creditCollection);
  return {
    tail: async (organizationId) =>
      (await entries
        .findOne({ organizationId }, { _id: 0, seq: 1, balance: 1, reserved: 1 })
        .sort({ seq: -1 })
        .lean<LedgerState>()
        .exec()) ?? EMPTY_LEDGER,
    find: (organizationId, id) => entries.findOne({ organizationId, _id: id }).lean<CreditEntry>().exec(),
    lastOfLetter: (organizationId, letterId) =>
      entries.findOne({ organizationId, letterId }).sort({ letterOrdinal: -1 }).lean<CreditEntry>().exec(),
    insert: (entry) => insertOnce(entries, entry),
    page: (organizationId, limit, before) =>
      entries
        .find({ organizationId, ...(before !== undefined && { seq: { $lt: before } }) })
        .sort({ seq: -1 })
        .limit(limit)
        .lean<CreditEntry[]>()
        .exec(),
    entries: (organizationId) => eachDocument<CreditEntry>(entries.find({ organizationId }).sort({ seq: 1 }).lean()),
  };
}
