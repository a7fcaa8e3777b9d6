import {
  declareCollection,
  embedded,
  insertOrFind,
  joinedFind,
  joinedInserts,
  nativeCollection,
  oneOf,
  openCollection,
  pendingChangeIndex,
  recordedFields,
  required,
  type Connection,
  type History,
  type Model,
  type Recorded,
} from '@invoicing/mongo';
import { LANGUAGES } from '@invoicing/design';
import type { Draft } from './draft';
import type { Line, Period, RoundingTrace, Totals, VatGroup } from './invoice';
import type { DraftSummary, Drafts, RecordedAs } from './invoice-ports';
import { narrowedIndexes, narrowedPage, newestIndexes } from './newest-store';

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

type DraftDocument = Draft & Recorded;

export const draftCollection = declareCollection<DraftDocument>('drafts', {
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
    open: required(Boolean),
    ...recordedFields,
    revision: required(Number),
  },
  indexes: [
    ...newestIndexes({ open: 1 }),
    ...narrowedIndexes({ open: 1 }),
    pendingChangeIndex,
    // For what is purged by its age.
    [{ createdAt: 1 }, { partialFilterExpression: { open: false } }],
  ],
});

export const openDrafts = (connection: Connection): Promise<Model<DraftDocument>> =>
  openCollection(connection, draftCollection);

/** Drafts, open and closed, and the history of what people make of them. */
export function mongoDrafts(drafts: Model<DraftDocument>, history: History): Drafts {
  // Creating and issuing is the hot path: past the model.
  const native = nativeCollection(drafts, { ignoreUndefined: true });
  const insert = joinedInserts(native);
  const findAny = joinedFind(native);
  const change = (seen: Draft, $set: Partial<Draft>, as: RecordedAs): Promise<Draft | null> =>
    history.tryChange<DraftDocument>(drafts, seen, { ...as, update: { $set }, only: { state: 'draft' } });
  return {
    find: (organizationId, id) => native.findOne({ organizationId, _id: id, open: true }),
    findAny,
    organizationOf: async (id) => {
      const found = await drafts.findOne({ _id: id }, { organizationId: 1 }).lean().exec();
      return found?.organizationId;
    },
    // What a service makes by itself is told of elsewhere: the schedule it comes from.
    insert: (draft, as) =>
      as.by.kind === 'service' && as.by.id === 'billing'
        ? insertOrFind<DraftDocument>(drafts, draft, insert)
        : history.insert<DraftDocument>(drafts, draft, as, insert),
    assertSeen: (draft, revision) => history.assertSeen<DraftDocument>(drafts, draft, revision),
    replace: change,
    startIssuing: async (organizationId, id, revision) => {
      const seen = { organizationId, _id: id, open: true, revision };
      const { matchedCount } = await native.updateOne(seen, { $set: { state: 'issuing' } });
      return matchedCount === 1;
    },
    closeIssued: async (organizationId, ids) => {
      const closed = { state: 'issued' as const, open: false };
      await native.updateMany({ organizationId, _id: { $in: [...ids] } }, { $set: closed });
    },
    remove: async (seen, as) => (await change(seen, { state: 'deleted', open: false, lines: [] }, as)) !== null,
    page: (organizationId, narrowed, wanted) =>
      narrowedPage<DraftDocument, DraftSummary>(native, { equal: { organizationId, open: true } }, narrowed, wanted),
    idsFrom: async (organizationId, beginning, limit) => {
      const begun = { $gte: beginning, $lt: `${beginning}~` };
      const found = native
        .find({ organizationId, _id: begun }, { projection: { _id: 1 } })
        .hint({ _id: 1 })
        .limit(limit);
      return (await found.toArray()).map(({ _id }) => _id);
    },
  };
}
