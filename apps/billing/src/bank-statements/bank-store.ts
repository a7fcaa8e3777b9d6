import {
  MongoBulkWriteError,
  NEWEST_FIRST,
  claimDue,
  compareAndSet,
  declareCollection,
  embedded,
  hasCode,
  insertOnce,
  nativeCollection,
  newestPage,
  oneOf,
  openCollection,
  openHistory,
  actorSchema,
  pendingChangeIndex,
  recordedFields,
  required,
  type Connection,
  type History,
  type Model,
  type Recorded,
} from '@invoicing/mongo';
import { knownActor } from '@invoicing/rules';
import type { BankLine, Booking, Candidate } from './bank-line';
import type { BankLineChange, BankLines, BankStatements, KeptStatement } from './bank-ports';

type BankLineDocument = Omit<BankLine, 'dueAt'> & Recorded & { readonly dueAt?: Date };

const DUPLICATE_KEY = 11000;

const bankLineCollection = declareCollection<BankLineDocument>('bank_lines', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    importId: required(String),
    createdAt: required(Date),
    account: required(String),
    bookedOn: required(String),
    amountCents: required(Number),
    currency: required(String),
    counterName: required(String),
    counterIban: required(String),
    bankReference: required(String),
    endToEndId: required(String),
    creditorReference: required(String),
    text: required(String),
    special: String,
    balanceCents: Number,
    state: oneOf('booking', 'booked', 'question', 'undoing', 'no_invoice', 'money_out'),
    rule: String,
    why: String,
    candidates: required([
      embedded<Candidate>({
        invoiceId: required(String),
        number: required(String),
        customerId: required(String),
        openCents: required(Number),
        evidence: required([String]),
      }),
    ]),
    bookings: required([
      embedded<Booking>({
        invoiceId: required(String),
        number: required(String),
        customerId: required(String),
        amountCents: required(Number),
      }),
    ]),
    tries: required(Number),
    by: required(actorSchema),
    note: String,
    dueAt: Date,
    ...recordedFields,
  },
  indexes: [
    [{ organizationId: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, state: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, importId: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, counterIban: 1, state: 1 }],
    [{ organizationId: 1, account: 1, bookedOn: 1 }],
    [{ organizationId: 1, 'candidates.invoiceId': 1 }, { partialFilterExpression: { state: 'question' } }],
    [{ dueAt: 1 }, { sparse: true }],
    pendingChangeIndex,
  ],
});

const statementCollection = declareCollection<KeptStatement>('bank_statements', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    importId: required(String),
    createdAt: required(Date),
    account: required(String),
    number: required(String),
    from: required(String),
    to: required(String),
    openingCents: Number,
    closingCents: Number,
    lineCount: required(Number),
    sumCents: required(Number),
  },
  indexes: [[{ organizationId: 1, account: 1, from: 1 }]],
});

export const openBankLines = (connection: Connection): Promise<Model<BankLineDocument>> =>
  openCollection(connection, bankLineCollection);

/** Lines and statements of the sellers' bank accounts. */
export function mongoBankLines(model: Model<BankLineDocument>, history: History): BankLines {
  // Inserted and read by the hundred: past the model.
  const lines = nativeCollection(model);
  return {
    knownAmong: async (organizationId, ids) => {
      const found = await lines
        .find({ organizationId, _id: { $in: [...ids] } })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    insertNew: async (documents) => {
      const ids = documents.map(({ _id }) => _id);
      if (ids.length === 0) return new Set();
      try {
        await lines.insertMany(documents.map(stored), { ordered: false });
        return new Set(ids);
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
        const refused = [error.writeErrors].flat();
        if (refused.some((each) => !hasCode(each, DUPLICATE_KEY))) throw error;
        const taken = new Set(refused.map(({ index }) => ids[index]));
        return new Set(ids.filter((id) => !taken.has(id)));
      }
    },
    find: (organizationId, id) => model.findOne({ organizationId, _id: id }).lean<BankLine>().exec(),
    organizationOf: async (id) =>
      (await model.findOne({ _id: id }, { organizationId: 1 }).lean().exec())?.organizationId,
    change: (seen, to) => compareAndSet(model, asSeen(seen), updateOf(to)),
    record: (seen, to, as) =>
      history.tryChange<BankLineDocument>(model, seen as BankLineDocument, {
        ...as,
        update: updateOf(to),
        only: { state: seen.state, tries: seen.tries },
      }),
    page: (organizationId, { state, importId }, wanted) =>
      newestPage<BankLineDocument, BankLine>(
        model,
        { organizationId, ...(state && { state }), ...(importId !== undefined && { importId }) },
        wanted,
      ),
    ...knowledgeOf(model),
    claimDue: (now, leaseUntil) => claimDue(model, { now, leaseUntil }),
  };
}

/** What the lines of before say about payers, invoices and days. */
function knowledgeOf(model: Model<BankLineDocument>): Pick<BankLines, 'payersAmong' | 'isAsked' | 'dailySums'> {
  const lines = nativeCollection(model);
  return {
    payersAmong: async (organizationId, ibans) => {
      const payers = new Map<string, Set<string>>();
      const booked = { organizationId, counterIban: { $in: [...ibans] }, state: 'booked' as const };
      const found = await lines
        .find(booked)
        .project<Pick<BankLine, 'counterIban' | 'bookings'>>({ counterIban: 1, bookings: 1 })
        .toArray();
      for (const { counterIban, bookings } of found) {
        const customers = payers.get(counterIban) ?? new Set();
        for (const { customerId } of bookings) customers.add(customerId);
        payers.set(counterIban, customers);
      }
      return payers;
    },
    isAsked: async (organizationId, invoiceId) =>
      (await model.exists({
        organizationId,
        state: 'question',
        'candidates.invoiceId': invoiceId,
        amountCents: { $gt: 0 },
      })) !== null,
    dailySums: async (organizationId, account) => {
      const sums = await lines
        .aggregate<{ _id: string; cents: number }>([
          { $match: { organizationId, account } },
          { $group: { _id: '$bookedOn', cents: { $sum: '$amountCents' } } },
        ])
        .toArray();
      return new Map(sums.map(({ _id, cents }) => [_id, cents]));
    },
  };
}

/** Statements, by which a missing one is found. */
export async function mongoBankStatements(connection: Connection): Promise<BankStatements> {
  const model = await openCollection(connection, statementCollection);
  return {
    put: async (statement) => void (await insertOnce(model, statement)),
    of: (organizationId, accounts) =>
      model
        .find({ organizationId, ...(accounts && { account: { $in: [...accounts] } }) })
        .sort({ account: 1, from: 1, to: 1, _id: 1 })
        .lean<KeptStatement[]>()
        .exec(),
  };
}

const asSeen = ({ organizationId, _id, state, tries }: BankLine) => ({ organizationId, _id, state, tries });

/** The driver would store what is undefined as null. */
const stored = ({ special, balanceCents, rule, why, note, dueAt, by, ...line }: BankLine): BankLineDocument => ({
  ...line,
  by: knownActor(by),
  ...(special && { special }),
  ...(balanceCents !== undefined && { balanceCents }),
  ...(rule && { rule }),
  ...(why && { why }),
  ...(note && { note }),
  ...(dueAt && { dueAt }),
});

function updateOf({ by, ...to }: BankLineChange) {
  const given = { ...to, ...(by && { by: knownActor(by) }) };
  const entries = Object.entries(given);
  const $set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const gone = entries.filter(([, value]) => value === undefined).map(([name]) => [name, 1 as const]);
  return { $set, ...(gone.length > 0 && { $unset: Object.fromEntries(gone) }) };
}

/** With a history of their own, for specs. */
export async function openBankStore(connection: Connection): Promise<BankLines> {
  const lines = await openBankLines(connection);
  return mongoBankLines(lines, await openHistory(connection, [lines]));
}
