import { AppError } from '@invoicing/errors';
import { outboxField, outboxIndex, type OutboxEntry } from '@invoicing/events';
import {
  MongoBulkWriteError,
  actorSchema,
  REAL_TIME,
  claimDue,
  declareCollection,
  embedded,
  hasCode,
  joinedFind,
  nativeCollection,
  oneOf,
  openCollection,
  required,
  type Collection,
  type Connection,
  type Model,
  type OrganizationClocks,
} from '@invoicing/mongo';
import { numberingBatchSize } from '@invoicing/telemetry';
import { lineSchema, periodSchema, totalsSchema, traceSchema } from './draft-store';
import { LANGUAGES } from '@invoicing/design';
import type { Party, Prepayment, VatCheck } from './invoice';
import type { CreditedLine, Delivery, IssuedInvoice, StoredStyle } from './issued-invoice';
import { seriesKeys, type SeriesKeys, type SeriesSignature } from '../numbering/series-keys';
import type { InsertOutcome, SeriesStore } from '../numbering/number-series';
import type { Invoices, InvoiceSummary, ListNarrowed, OwedSummary } from './invoice-ports';
import { eventsOfIssue } from '../billing-events';
import type { CreditApplied } from '../account/entry';
import { narrowedIndexes, narrowedPage, newestIndexes, type ListBase } from './newest-store';

/**
 * Inserted once, never updated, but for what is no part of the invoice: `outbox` is emptied as events settle, and `dueAt` says when to look
 * whether it is overdue.
 */
export type InvoiceDocument = IssuedInvoice & { readonly outbox?: OutboxEntry[]; readonly dueAt?: Date };

// What is read back is what was sealed.
const SEALED = { projection: { outbox: 0, dueAt: 0 } };
const CREDIT = {
  number: 1,
  'credited.invoiceId': 1,
  creditOrdinal: 1,
  'totals.inclCents': 1,
  issueDate: 1,
  issuedAt: 1,
  reason: 1,
} as const;
const CREDIT_NOTES = { organizationId: 1, 'credited.invoiceId': 1, creditOrdinal: 1 } as const;
const BY_NUMBER = { organizationId: 1, number: -1 } as const;
const OWED = {
  ...{ number: 1, kind: 1, customerId: 1, profileId: 1, 'totals.inclCents': 1, prepayment: 1, dueDate: 1 },
  ...{ 'buyer.name': 1, 'buyer.companyName': 1, 'buyer.iban': 1 },
} as const;
const NUMBER_INDEX = 'organization_series_seq';
const DUPLICATE_KEY = 11000;
const UNSIGNED = seriesKeys(undefined);

export const partySchema = embedded<Party>({
  name: required(String),
  companyName: required(String),
  addressLine1: required(String),
  postalCode: required(String),
  city: required(String),
  countryCode: required(String),
  btwId: required(String),
  kvkNumber: required(String),
  email: required(String),
  phone: String,
  iban: required(String),
  bic: required(String),
});

const invoiceCollection = declareCollection<InvoiceDocument>('invoices', {
  shardKey: { organizationId: 1 },
  fields: {
    organizationId: required(String),
    profileId: required(String),
    customerId: required(String),
    kind: oneOf('invoice', 'credit_note'),
    number: required(String),
    series: required(String),
    seq: required(Number),
    previousHash: required(String),
    hash: required(String),
    signature: embedded<SeriesSignature>({ keyId: required(String), value: required(String) }),
    publicToken: required(String),
    publicUrl: required(String),
    issueDate: required(String),
    dueDate: required(String),
    supplyDate: required(String),
    currency: oneOf('EUR'),
    language: oneOf(...LANGUAGES),
    seller: required(partySchema),
    buyer: required(partySchema),
    lines: required([lineSchema]),
    totals: required(totalsSchema),
    vatExemptionReason: required(String),
    style: required(
      embedded<StoredStyle>({
        profileName: required(String),
        accentColor: required(String),
        footer: required(String),
        logoId: String,
      }),
    ),
    credited: embedded<NonNullable<IssuedInvoice['credited']>>({
      invoiceId: required(String),
      number: required(String),
      issueDate: required(String),
    }),
    creditedLines: required([embedded<CreditedLine>({ line: required(Number), quantity: required(String) })]),
    creditOrdinal: Number,
    reason: required(String),
    issuedAt: required(Date),
    issuedBy: actorSchema,
    createdAt: required(Date),
    prepayment: embedded<Prepayment>({
      provider: required(String),
      method: required(String),
      id: required(String),
      paidAt: required(Date),
      date: required(String),
      amountCents: required(Number),
    }),
    pricesIncludeVat: Boolean,
    roundingTrace: { type: [traceSchema], default: undefined },
    reference: String,
    note: String,
    period: periodSchema,
    eInvoiceRules: String,
    vatCheck: embedded<VatCheck>({
      vatId: required(String),
      valid: required(Boolean),
      checkedAt: required(Date),
      consultationNumber: required(String),
      name: required(String),
      address: required(String),
      raw: required(String),
    }),
    test: Boolean,
    testScenario: String,
    delivery: required(embedded<Delivery>({ email: required(Boolean), post: required(Boolean) })),
    checkoutId: String,
    outbox: outboxField,
    dueAt: Date,
  },
  indexes: [
    [
      { organizationId: 1, series: 1, seq: 1 },
      { unique: true, name: NUMBER_INDEX },
    ],
    [CREDIT_NOTES, { unique: true, partialFilterExpression: { creditOrdinal: { $gt: 0 } } }],
    // 192 random bits need no unique index, and one would keep the collection from being sharded by the organisation.
    [{ publicToken: 1 }],
    ...newestIndexes({}),
    ...narrowedIndexes({}),
    [BY_NUMBER],
    // For the history.
    [{ organizationId: 1, issuedAt: -1, _id: -1 }],
    [{ dueAt: 1 }, { sparse: true }],
    outboxIndex,
  ],
});

export const openInvoices = (connection: Connection): Promise<Model<InvoiceDocument>> =>
  openCollection(connection, invoiceCollection);

export function mongoInvoices(model: Model<InvoiceDocument>, clocks: OrganizationClocks = REAL_TIME): Invoices {
  // Read for every page, PDF and step of an issue: past the model.
  const invoices = nativeCollection(model);
  return {
    find: joinedFind(invoices, SEALED),
    findByToken: (publicToken) => invoices.findOne({ publicToken }, SEALED),
    organizationOf: async (id) => {
      const found = await model.findOne({ _id: id }, { organizationId: 1 }).lean().exec();
      return found?.organizationId;
    },
    creditNotesOf: (organizationId, invoiceId) =>
      invoices
        .find({ organizationId, 'credited.invoiceId': invoiceId, creditOrdinal: { $gt: 0 } }, SEALED)
        .sort({ creditOrdinal: 1 })
        .toArray(),
    creditsOf: async (organizationId, invoiceIds) => {
      const credited = { 'credited.invoiceId': { $in: [...invoiceIds] }, creditOrdinal: { $gt: 0 } };
      const notes = await invoices
        .find({ organizationId, ...credited }, { projection: CREDIT })
        .sort({ creditOrdinal: 1 })
        .toArray();
      return notes.map(creditOfNote);
    },
    page: (organizationId, narrowed, wanted) =>
      narrowedPage<InvoiceDocument, InvoiceSummary>(invoices, listBase(organizationId, narrowed), narrowed, wanted),
    issuedAmong: async (organizationId, ids) => {
      const found = invoices.find({ organizationId, _id: { $in: [...ids] } }, { projection: { _id: 1 } });
      return (await found.toArray()).map(({ _id }) => _id);
    },
    idsByNumber: async (organizationId, beginnings, limit) => {
      const begun = beginnings.map((text) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
      const found = invoices
        .find({ organizationId, number: { $in: begun } }, { projection: { _id: 1 } })
        .sort({ number: -1 })
        .hint(BY_NUMBER)
        .limit(limit);
      return (await found.toArray()).map(({ _id }) => _id);
    },
    begunSeries: async (organizationId, series) => {
      const begun = await Promise.all(
        series.map((each) => model.exists({ organizationId, series: each, seq: 1 }).then((found) => found && each)),
      );
      return begun.filter((each) => each !== null);
    },
    claimDue: async (now, leaseUntil) => {
      const claimed = await claimDue(model, { now, leaseUntil, ahead: clocks.ahead() });
      if (!claimed) return null;
      const { outbox: _outbox, dueAt: _dueAt, ...issued } = claimed;
      return issued;
    },
    lookAgain: async ({ organizationId, _id }, at) => {
      await model.updateOne({ organizationId, _id }, at ? { $set: { dueAt: at } } : { $unset: { dueAt: 1 } });
    },
    owed: (organizationId) => invoices.find({ organizationId }).project<OwedSummary>(OWED),
    inSeriesOrder: (organizationId) => invoices.find({ organizationId }, SEALED).sort({ series: 1, seq: 1 }),
  };
}

/** Credit notes are few, and have an index of their own. */
const listBase = (organizationId: string, { kind }: ListNarrowed): ListBase =>
  kind === 'credit_note'
    ? { equal: { organizationId, creditOrdinal: { $gt: 0 } }, hint: CREDIT_NOTES }
    : { equal: { organizationId, ...(kind && { kind }) } };

/** The due date has passed somewhere on earth; none where nothing is open. */
export const firstLookAt = ({
  kind,
  dueDate,
  prepayment,
  totals,
}: Pick<IssuedInvoice, 'kind' | 'dueDate' | 'prepayment' | 'totals'>): Date | undefined =>
  kind === 'invoice' && !prepayment && totals.inclCents > 0 ? new Date(`${dueDate}T10:00:00Z`) : undefined;

const creditOfNote = (note: InvoiceDocument): CreditApplied => ({
  noteId: note._id,
  invoiceId: note.credited?.invoiceId ?? '',
  number: note.number,
  ordinal: note.creditOrdinal ?? 0,
  amountCents: note.totals.inclCents,
  date: note.issueDate,
  at: note.issuedAt,
  reason: note.reason,
});

/** The stores of an organisation's number series. Connection-wide: writes majority and journaled, reads of majority-committed data. */
export const mongoSeriesStores =
  (model: Model<InvoiceDocument>, onEvents: () => void, { sign }: Pick<SeriesKeys, 'sign'> = UNSIGNED) =>
  (organizationId: string): SeriesStore<IssuedInvoice> => {
    const invoices = nativeCollection(model);
    return {
      tail: async (series) => {
        const shown = { sort: { seq: -1 }, projection: { seq: 1, hash: 1 } } as const;
        const last = await invoices.findOne({ organizationId, series }, shown);
        return last ?? { seq: 0, hash: '' };
      },
      countUpTo: (series, seq) => invoices.countDocuments({ organizationId, series, seq: { $lte: seq } }),
      find: (id) => invoices.findOne({ organizationId, _id: id }, SEALED),
      insert: async (documents) => {
        try {
          await invoices.insertMany(
            documents.map((invoice) => {
              const signature = sign(invoice);
              const dueAt = firstLookAt(invoice);
              return {
                ...invoice,
                ...(signature && { signature }),
                ...(dueAt && { dueAt }),
                outbox: eventsOfIssue(invoice),
              };
            }),
            { ordered: true },
          );
          numberingBatchSize.observe(documents.length);
          return { inserted: documents.length };
        } catch (error) {
          return await refusalOf(error, invoices, documents);
        } finally {
          // What came before a refusal, or of an unknown outcome, may be there too.
          onEvents();
        }
      },
    };
  };

/** A refusal by a unique index says what came before it; anything else is an unknown outcome, thrown on. */
async function refusalOf(
  error: unknown,
  invoices: Collection<InvoiceDocument>,
  documents: readonly IssuedInvoice[],
): Promise<InsertOutcome> {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const refusal = [error.writeErrors].flat()[0];
  if (!refusal || !hasCode(refusal, DUPLICATE_KEY)) throw error;
  const refused = refusedBy(refusal) ?? (await takenOf(invoices, documents[refusal.index]!));
  if (refused !== 'other') return { inserted: refusal.index, refused };
  const conflict = new AppError('conflict', 'conflict', 'the invoice was credited at the same time', { cause: error });
  return { inserted: refusal.index, refused, error: conflict };
}

type Refused = NonNullable<InsertOutcome['refused']>;

/**
 * Which index refused, from what the server says of it: its name, which the driver keeps only in the message
 * ("… index: organization_series_seq dup key: …"), or its fields. Undefined when neither is understood: no promise holds for a wording.
 */
function refusedBy(refusal: { errmsg?: string | undefined; err: object }): Refused | undefined {
  const name = /index: (\S+)/.exec(refusal.errmsg ?? '')?.[1];
  if (name === '_id_') return 'id';
  if (name === NUMBER_INDEX) return 'number';
  const { keyPattern } = refusal.err as { keyPattern?: Record<string, unknown> };
  if (!keyPattern) return undefined;
  const fields = Object.keys(keyPattern).join();
  return fields === '_id' ? 'id' : fields === 'organizationId,series,seq' ? 'number' : 'other';
}

/** What of an invoice that was refused is there already, read back. */
async function takenOf(invoices: Collection<InvoiceDocument>, invoice: IssuedInvoice): Promise<Refused> {
  const { _id, organizationId, series, seq } = invoice;
  const fields = { projection: { _id: 1 } };
  if (await invoices.findOne({ organizationId, _id }, fields)) return 'id';
  return (await invoices.findOne({ organizationId, series, seq }, fields)) ? 'number' : 'other';
}
