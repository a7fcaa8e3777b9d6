import { LANGUAGES } from '@invoicing/design';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { outboxEntry, outboxField, outboxIndex, type OutboxEntry } from '@invoicing/events';
import {
  NEWEST_FIRST,
  REAL_TIME,
  claimDue,
  declareCollection,
  embedded,
  insertOrFind,
  joinedInserts,
  nativeCollection,
  newestPage,
  oneOf,
  optionalList,
  openCollection,
  pendingChangeIndex,
  recordedFields,
  required,
  type Collection,
  type Connection,
  type Filter,
  type OrganizationClocks,
  type History,
  type Model,
  type Page,
  type Recorded,
} from '@invoicing/mongo';
import { type Actor } from '@invoicing/rules';
import { type Movement } from './movement';
import {
  type Attempt,
  type FormerRefund,
  type Fulfilment,
  type InvoiceReference,
  type InvoiceTerms,
  type Line,
  type Payer,
  type PayerPrefill,
  type Session,
  type SessionStatus,
  type Totals,
  type VatGroup,
} from './session';
import { type SessionEvent } from './session-events';
import { nextDueAt } from './settle-session';
import { type DueWork, type SessionStore } from './session-ports';

/** A session as stored: one document carries the session, when it is due and the event of its payment. */
export interface SessionDocument extends Omit<Session, 'id'>, Omit<Recorded, 'revision'> {
  readonly _id: string;
  readonly dueAt: Date | null;
  readonly outbox?: OutboxEntry[];
}

const partyFields = {
  name: String,
  email: String,
  companyName: String,
  addressLine1: String,
  postalCode: String,
  city: String,
  countryCode: String,
  btwId: String,
  kvkNumber: String,
  externalId: String,
};

const lineSchema = embedded<Line>({
  description: required(String),
  quantity: required(String),
  unitPriceCents: required(Number),
  vatTreatment: required(String),
  productId: String,
  netCents: required(Number),
  unit: required(String),
  discountBps: Number,
  grossCents: Number,
});

const totalsSchema = embedded<Totals>({
  exclCents: required(Number),
  vatCents: required(Number),
  inclCents: required(Number),
  groups: required([
    embedded<VatGroup>({
      vatTreatment: required(String),
      rateBps: required(Number),
      baseCents: required(Number),
      vatCents: required(Number),
    }),
  ]),
});

const attemptSchema = embedded<Attempt>({
  id: required(String),
  accountId: required(String),
  provider: required(String),
  method: required(String),
  status: oneOf('starting', 'open', 'pending', 'paid', 'failed', 'canceled', 'expired', 'mismatched'),
  paymentId: String,
  payUrl: String,
  payer: embedded<Payer>({ ...partyFields, name: required(String), email: required(String) }),
  language: { type: String, enum: LANGUAGES },
  createdAt: required(Date),
  paidAt: Date,
  pollAt: Date,
  amountCents: Number,
  recorded: Boolean,
  surplusCents: Number,
  watchedAt: Date,
  movements: optionalList(
    embedded<Movement>({
      id: required(String),
      kind: oneOf('refund', 'chargeback'),
      amountCents: required(Number),
      at: required(Date),
      entryId: String,
      undone: required(Boolean),
      reason: required(String),
    }),
  ),
  // What the version before kept; it has more fields.
  refund: embedded<FormerRefund>({
    status: oneOf('due', 'done', 'failed'),
    nextTryAt: Date,
  }),
});

export const sessionCollection = declareCollection<SessionDocument>('sessions', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    kind: oneOf('checkout', 'invoice'),
    organizationId: required(String),
    profileId: String,
    token: required(String),
    title: required(String),
    sellerName: required(String),
    lines: required([lineSchema]),
    totals: required(totalsSchema),
    terms: embedded<InvoiceTerms>({
      pricesIncludeVat: Boolean,
      reference: String,
      note: String,
      period: embedded<NonNullable<InvoiceTerms['period']>>({ from: required(String), to: required(String) }),
    }),
    askCents: Number,
    currency: required(String),
    redirectUrl: String,
    methods: required([String]),
    prefill: required(embedded<PayerPrefill>(partyFields)),
    status: oneOf('open', 'paid', 'expired'),
    createdAt: required(Date),
    expiresAt: Date,
    attempts: required([attemptSchema]),
    paidAttemptId: String,
    paidAt: Date,
    fulfilment: embedded<Fulfilment>({ status: oneOf('due', 'done'), nextTryAt: Date, tries: required(Number) }),
    invoice: embedded<InvoiceReference>({
      id: required(String),
      number: required(String),
      publicToken: required(String),
    }),
    testScenario: String,
    canceledAt: Date,
    ...recordedFields,
    revision: required(Number),
    dueAt: Date,
    outbox: outboxField,
  },
  indexes: [
    // 192 random bits need no unique index, and one would keep the collection from being sharded by the organisation.
    [{ token: 1 }],
    [{ organizationId: 1, kind: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, kind: 1, profileId: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, kind: 1, status: 1, ...NEWEST_FIRST }],
    pendingChangeIndex,
    [{ dueAt: 1 }],
    [{ 'fulfilment.status': 1, dueAt: 1 }],
    outboxIndex,
    // For what is purged by its age.
    [{ expiresAt: 1 }, { partialFilterExpression: { status: 'expired' } }],
    [{ paidAt: 1 }, { partialFilterExpression: { 'attempts.payer.email': { $exists: true } } }],
  ],
});

export interface MongoSessions extends SessionStore {
  readonly collection: Collection<SessionDocument>;
  /** Checkout sessions, newest first. Throws `validation` at `/cursor`. */
  page: (organizationId: string, wanted: SessionsWanted) => Promise<Page<Session>>;
}

/** Which checkouts a list shows. */
export interface SessionsWanted {
  readonly profileId?: string | undefined;
  readonly status?: SessionStatus | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export const openSessions = (connection: Connection): Promise<Model<SessionDocument>> =>
  openCollection(connection, sessionCollection);

const changeOf = ({ id, title }: Pick<Session, 'id' | 'title'>, action: string, by: Actor) => ({
  by,
  action: `checkout.${action}`,
  subject: { kind: 'checkout', id, label: title },
  fields: [],
});

/** Payment sessions, each one document with its attempts and the event of its payment. */
export function mongoSessions(
  model: Model<SessionDocument>,
  history: History,
  clocks: OrganizationClocks = REAL_TIME,
): MongoSessions {
  // Read and changed at every step of a payer: past the model.
  const native = nativeCollection(model, { ignoreUndefined: true });
  const insert = joinedInserts(native);

  const findOne = async (filter: Filter<SessionDocument>): Promise<Session | null> => {
    const found = await native.findOne(filter, { projection: { outbox: 0 } });
    return found && sessionOf(found);
  };

  return {
    collection: native,
    find: (organizationId, id) => findOne({ organizationId, _id: id }),
    findById: (id) => findOne({ _id: id }),
    findByToken: (token) => findOne({ token }),
    insert: async (session, by) => {
      const { id, ...fields } = session;
      const document: SessionDocument = { _id: id, ...fields, dueAt: nextDueAt(session) };
      if (!by) return sessionOf(await insertOrFind(model, document, insert));
      return sessionOf(await history.insert(model, document, changeOf(session, 'created', by), insert));
    },
    cancel: async (after, { by, dueAt }, event) => {
      const { organizationId, id, revision, status, canceledAt } = after;
      const seen = await model.findOne({ organizationId, _id: id, revision }).lean<SessionDocument>().exec();
      if (!seen) return null;
      const $push = event && { outbox: outboxEntry(message(event)) };
      const update = { $set: { status, canceledAt, dueAt }, ...($push && { $push }) };
      const canceled = await history.tryChange<SessionDocument>(model, seen, {
        ...changeOf(after, 'canceled', by),
        update,
      });
      return canceled && sessionOf(canceled);
    },
    replace: async (after, event) => {
      const { organizationId, status, attempts, paidAttemptId, paidAt, fulfilment, invoice, askCents, revision } =
        after;
      const changed = { status, attempts, paidAttemptId, paidAt, fulfilment, invoice, dueAt: nextDueAt(after) };
      const { matchedCount } = await native.updateOne(
        { organizationId, _id: after.id, revision },
        {
          $set: { ...changed, ...(askCents !== undefined && { askCents }) },
          $inc: { revision: 1 },
          // The relay takes what is settled out of the array: nothing else may write it.
          ...(event && { $push: { outbox: outboxEntry(message(event)) } }),
        },
      );
      return matchedCount === 1;
    },
    claimDue: async (work, now, leaseUntil) => {
      const claimed = await claimDue(model, { where: DUE[work], now, leaseUntil, ahead: clocks.ahead() });
      return claimed && sessionOf(claimed);
    },
    page: async (organizationId, { profileId, status, limit, cursor }) => {
      const equal = { ...(profileId !== undefined && { profileId }), ...(status && { status }) };
      const wanted = { limit, cursor, without: ['outbox'] };
      const { items, next } = await newestPage(model, { organizationId, kind: 'checkout', ...equal }, wanted);
      return { items: items.map(sessionOf), ...(next && { next }) };
    },
  };
}

const DUE = {
  settling: { 'fulfilment.status': 'due' },
  watching: { 'fulfilment.status': { $ne: 'due' } },
} as const satisfies Record<DueWork, object>;

/** Without what the store keeps for itself. */
function sessionOf({ _id, dueAt: _dueAt, outbox: _outbox, ...stored }: SessionDocument): Session {
  const { updatedAt: _at, updatedBy: _by, lastChange: _change, ...session } = stored;
  return { id: _id, ...session };
}

const message = ({ type, id, at, organizationId, expiresAt, testScenario, ...told }: SessionEvent): Event =>
  Event.fromPartial({
    id,
    type,
    occurredAt: at,
    organizationId,
    source: 'checkout',
    testScenario,
    ...(type === 'checkout.paid' ? { checkoutPaid: told } : { checkoutExpired: { ...told, expiresAt } }),
  });
