import {
  compareAndSet,
  declareCollection,
  embedded,
  insertOnce,
  nativeCollection,
  newest,
  oneOf,
  openCollection,
  required,
  type Connection,
} from '@invoicing/mongo';
import { LANGUAGES } from './document-language';
import type { Draft } from './draft';
import type { Line, Period, RoundingTrace, Totals, VatGroup } from './invoice';
import type { DraftSummary, Drafts } from './invoice-ports';
import { newestIndexes, ofProfile, SUMMARY } from './newest-store';

const TREATMENTS = ['standard_21', 'reduced_9', 'zero', 'exempt', 'reverse_charge', 'intra_community'];

export const lineSchema = embedded<Line>({
  description: required(String),
  quantity: required(String),
  unitPriceCents: required(Number),
  vatTreatment: oneOf(...TREATMENTS),
  productId: String,
  netCents: required(Number),
  unit: required(String),
  discountBps: Number,
  grossCents: Number,
});

export const periodSchema = embedded<Period>({ from: required(String), to: required(String) });

export const traceSchema = embedded<RoundingTrace>({
  vatTreatment: oneOf(...TREATMENTS),
  rateBps: required(Number),
  grossCents: required(Number),
  baseCents: required(Number),
  vatCents: required(Number),
  differenceCents: required(Number),
});

export const totalsSchema = embedded<Totals>({
  exclCents: required(Number),
  vatCents: required(Number),
  inclCents: required(Number),
  groups: required([
    embedded<VatGroup>({
      vatTreatment: oneOf(...TREATMENTS),
      rateBps: required(Number),
      baseCents: required(Number),
      vatCents: required(Number),
    }),
  ]),
});

export const draftCollection = declareCollection<Draft>('drafts', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    profileId: required(String),
    customerId: required(String),
    lines: required([lineSchema]),
    totals: required(totalsSchema),
    issueDate: String,
    dueDate: String,
    post: required(Boolean),
    checkoutId: String,
    requireEInvoice: required(Boolean),
    language: { type: String, enum: [...LANGUAGES] },
    pricesIncludeVat: Boolean,
    roundingTrace: { type: [traceSchema], default: undefined },
    reference: String,
    note: String,
    supplyDate: String,
    period: periodSchema,
    publicToken: required(String),
    createdAt: required(Date),
    state: oneOf('draft', 'issuing', 'issued', 'deleted'),
    revision: required(Number),
    open: required(Boolean),
  },
  indexes: [
    ...newestIndexes({ open: 1 }),
    // For what is purged by its age.
    [{ createdAt: 1 }, { partialFilterExpression: { open: false } }],
  ],
});

/** Drafts, open and closed. */
export async function mongoDrafts(connection: Connection): Promise<Drafts> {
  const drafts = await openCollection(connection, draftCollection);
  // Creating and issuing is the hot path: past the model.
  const native = nativeCollection(drafts);
  const editable = (organizationId: string, id: string) => ({ organizationId, _id: id, state: 'draft' as const });
  return {
    find: (organizationId, id) => native.findOne({ organizationId, _id: id, open: true }),
    findAny: (organizationId, id) => native.findOne({ organizationId, _id: id }),
    organizationOf: async (id) => {
      const found = await drafts.findOne({ _id: id }, { organizationId: 1 }).lean().exec();
      return found?.organizationId;
    },
    insert: (draft) => insertOnce(native, draft),
    replace: (organizationId, id, content) =>
      native.findOneAndUpdate(
        editable(organizationId, id),
        { $set: content, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      ),
    startIssuing: async (organizationId, id, revision) => {
      const seen = { organizationId, _id: id, open: true, revision };
      const { matchedCount } = await native.updateOne(seen, { $set: { state: 'issuing' } });
      return matchedCount === 1;
    },
    closeIssued: async (organizationId, ids) => {
      const closed = { state: 'issued' as const, open: false };
      await native.updateMany({ organizationId, _id: { $in: [...ids] } }, { $set: closed });
    },
    remove: (organizationId, id) =>
      compareAndSet(drafts, editable(organizationId, id), { $set: { state: 'deleted', open: false, lines: [] } }),
    newest: (organizationId, profileId, limit) =>
      newest<Draft, DraftSummary>(drafts, ofProfile({ organizationId, open: true }, profileId), {
        limit,
        fields: SUMMARY,
      }),
  };
}
