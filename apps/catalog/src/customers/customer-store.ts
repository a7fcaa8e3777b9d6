import { LANGUAGES } from '@invoicing/design';
import {
  declareCollection,
  embedded,
  isDuplicateKey,
  NEWEST_FIRST,
  openCollection,
  optionalList,
  pendingChangeIndex,
  required,
  type Connection,
  type History,
  type Model,
  type UpdateQuery,
} from '@invoicing/mongo';
import { AppError, validationError } from '@invoicing/errors';
import type { Actor } from '@invoicing/rules';
import { emailKey, type CustomerDetails } from './customer';
import { nameWords, wordsOf } from './name-words';
import type { ViesAnswer } from './vies-client';
import {
  newestFirstIndex,
  recordFields,
  recordStore,
  type CatalogRecord,
  type CreateCall,
  type RecordChange,
  type RecordStore,
} from '../record-store';

/** What VIES answered about a number of the customer. */
export interface VatCheck extends ViesAnswer {
  readonly vatId: string;
  readonly checkedAt: Date;
}

export interface CustomerRecord extends CatalogRecord<CustomerDetails> {
  readonly emailKey?: string | undefined;
  /** The strongest thing a matched customer is known by. Customers that the API creates have none: it may create equal ones. */
  readonly matchKey?: string | undefined;
  /** Words of its name and company, by whose beginnings it is found; none once it is erased. */
  readonly nameWords?: readonly string[] | undefined;
  /** Somebody has begun to erase it: nothing new refers to it. */
  readonly erasedAt?: Date | undefined;
  /** The last answer; about a number that it may have no more. */
  readonly vatCheck?: VatCheck | undefined;
}

const known = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

const BY_WORDS = { organizationId: 1, nameWords: 1 } as const;

const customerCollection = declareCollection<CustomerRecord>('customers', {
  shardKey: { organizationId: 1 },
  fields: {
    ...recordFields,
    details: required(
      embedded<CustomerDetails>({
        name: required(String),
        email: String,
        companyName: String,
        addressLine1: String,
        postalCode: String,
        city: String,
        countryCode: String,
        btwId: String,
        kvkNumber: String,
        externalId: String,
        language: { type: String, enum: LANGUAGES },
      }),
    ),
    emailKey: String,
    matchKey: String,
    nameWords: optionalList(String),
    erasedAt: Date,
    vatCheck: embedded<VatCheck>({
      vatId: required(String),
      valid: required(Boolean),
      checkedAt: required(Date),
      consultationNumber: required(String),
      name: required(String),
      address: required(String),
      raw: required(String),
    }),
  },
  indexes: [
    [newestFirstIndex],
    pendingChangeIndex,
    [{ organizationId: 1, 'details.externalId': 1 }, known('details.externalId')],
    [{ organizationId: 1, 'details.btwId': 1 }, known('details.btwId')],
    [{ organizationId: 1, emailKey: 1 }, known('emailKey')],
    [
      { organizationId: 1, matchKey: 1 },
      { unique: true, ...known('matchKey') },
    ],
    [BY_WORDS],
  ],
});

export const openCustomers = (connection: Connection): Promise<Model<CustomerRecord>> =>
  openCollection(connection, customerCollection);

type Customers = Model<CustomerRecord>;

/** Customers: created, matched and changed. */
export interface CustomerStore extends Omit<RecordStore<CustomerRecord>, 'create' | 'update'> {
  readonly create: (organizationId: string, given: CustomerDetails, call: CreateCall) => Promise<CustomerRecord>;
  /**
   * The oldest customer with the same external id, else btw-id, else e-mail; else a new one. Two matches at once make one customer:
   * both would insert the same unique `matchKey`, and the loser takes the winner's.
   */
  readonly match: CustomerStore['create'];
  /** Ids of the newest of which words of the name begin so, archived ones too. A text without words finds none. */
  readonly findByWords: (organizationId: string, text: string, limit: number) => Promise<string[]>;
  /** Keeps what was answered, instead of what was before. Throws `revision_conflict`. */
  readonly keepVatCheck: (seen: CustomerRecord, vatCheck: VatCheck, by: Actor) => Promise<CustomerRecord>;
  /** Throws `revision_conflict`. */
  readonly update: (seen: CustomerRecord, details: CustomerDetails, change: RecordChange) => Promise<CustomerRecord>;
}

const SEARCHED = ['name', 'companyName', 'email', 'city', 'externalId'] as const;

export function customerStore(customers: Customers, history: History): CustomerStore {
  const records = recordStore(customers, history, { kind: 'customer', searched: SEARCHED });
  const insert = (organizationId: string, given: CustomerDetails, call: CreateCall, matchKey?: string) => {
    const keys = {
      nameWords: nameWords(given),
      ...(given.email !== undefined && { emailKey: emailKey(given.email) }),
      ...(matchKey !== undefined && { matchKey }),
    };
    return records.create(organizationId, { details: given, ...keys }, call);
  };
  const { standingFor } = records;
  return {
    ...records,
    merge: async (seen, into, change) => {
      if (seen.mergedInto === into._id) return into;
      if (into.erasedAt) throw validationError([{ path: '/intoCustomerId', message: 'is erased' }]);
      return records.merge(notErased(seen), into, change);
    },
    keepVatCheck: async (seen, vatCheck, by) =>
      history.change(customers, notErased(seen), {
        ...{ by, action: 'customer.vat_id_checked', fields: [], update: { $set: { vatCheck } } },
        subject: { kind: 'customer', id: seen._id, label: seen.details.name },
      }),
    create: (organizationId, given, call) => insert(organizationId, given, call),
    match: async (organizationId, given, call) => {
      const { operationId } = call;
      const made = operationId === undefined ? null : await records.find(organizationId, operationId);
      const found = made ?? (await findMatch(customers, organizationId, given));
      if (found) return standingFor(found);
      const matchKey = matchKeyOf(given);
      try {
        return await insert(organizationId, given, call, matchKey);
      } catch (error) {
        if (matchKey === undefined || !isDuplicateKey(error, 'matchKey')) throw error;
        const winner = await customers.findOne({ organizationId, matchKey }).lean<CustomerRecord>().exec();
        if (winner) return standingFor(winner);
        throw error;
      }
    },
    findByWords: async (organizationId, text, limit) => {
      // Letters and digits only: nothing of them means anything in a pattern.
      const words = wordsOf(text).map((word) => ({ nameWords: { $regex: `^${word}` } }));
      if (words.length === 0) return [];
      const found = customers.find({ organizationId, $and: words }, { _id: 1 }).hint(BY_WORDS);
      return (await found.sort(NEWEST_FIRST).limit(limit).lean().exec()).map(({ _id }) => _id);
    },
    resolve: async (...asked) => (await records.resolve(...asked)).filter(({ erasedAt }) => !erasedAt),
    update: async (seen, details, change) => records.update(notErased(seen), details, change, keysOf(seen, details)),
    archive: async (seen, ...change) => records.archive(notErased(seen), ...change),
  };
}

function notErased(seen: CustomerRecord): CustomerRecord {
  if (seen.erasedAt) throw new AppError('conflict', 'conflict', 'the customer is erased');
  return seen;
}

/** What a customer is found by follows its details; a `matchKey` that they no longer say would lead others to it. */
function keysOf({ matchKey }: CustomerRecord, details: CustomerDetails): UpdateQuery<CustomerRecord> {
  const gone = {
    ...(details.email === undefined && { emailKey: 1 }),
    ...(matchKey !== undefined && matchKey !== matchKeyOf(details) && { matchKey: 1 }),
  };
  return {
    $set: {
      nameWords: nameWords(details),
      ...(details.email !== undefined && { emailKey: emailKey(details.email) }),
    },
    ...(Object.keys(gone).length > 0 && { $unset: gone }),
  };
}

async function findMatch(
  customers: Customers,
  organizationId: string,
  { externalId, btwId, email }: CustomerDetails,
): Promise<CustomerRecord | null> {
  const oldest = (filter: Record<string, unknown>): Promise<CustomerRecord | null> =>
    customers
      .findOne({ organizationId, erasedAt: null, ...filter })
      .sort({ createdAt: 1, _id: 1 })
      .lean<CustomerRecord>()
      .exec();
  // The integrator's own id tells customers apart: one that already carries another is somebody else.
  const notAnother = externalId === undefined ? {} : { 'details.externalId': { $exists: false } };
  const same = externalId === undefined ? null : await oldest({ 'details.externalId': externalId });
  if (same) return same;
  // With a btw-id an equal e-mail is not enough: one bookkeeper serves many companies, and the invoice must name the right one.
  if (btwId !== undefined) return oldest({ 'details.btwId': btwId, ...notAnother });
  return email === undefined ? null : oldest({ emailKey: emailKey(email), ...notAnother });
}

const matchKeyOf = ({ externalId, btwId, email }: CustomerDetails): string | undefined => {
  if (externalId !== undefined) return `externalId:${externalId}`;
  if (btwId !== undefined) return `btwId:${btwId}`;
  return email === undefined ? undefined : `email:${emailKey(email)}`;
};
