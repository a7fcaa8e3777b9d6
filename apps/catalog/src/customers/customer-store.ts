import {
  declareCollection,
  embedded,
  isDuplicateKey,
  openCollection,
  required,
  type Connection,
  type Model,
} from '@invoicing/mongo';
import { emailKey, type CustomerDetails } from './customer';
import { createRecord, findRecord, newestFirstIndex, recordFields, type CatalogRecord } from '../record-store';

export interface CustomerRecord extends CatalogRecord<CustomerDetails> {
  readonly emailKey?: string | undefined;
  /** The strongest thing a matched customer is known by. Customers that the API creates have none: it may create equal ones. */
  readonly matchKey?: string | undefined;
}

const known = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

export const customerCollection = declareCollection<CustomerRecord>('customers', {
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
      }),
    ),
    emailKey: String,
    matchKey: String,
  },
  indexes: [
    [newestFirstIndex],
    [{ organizationId: 1, 'details.externalId': 1 }, known('details.externalId')],
    [{ organizationId: 1, 'details.btwId': 1 }, known('details.btwId')],
    [{ organizationId: 1, emailKey: 1 }, known('emailKey')],
    [
      { organizationId: 1, matchKey: 1 },
      { unique: true, ...known('matchKey') },
    ],
  ],
});

export const openCustomerStore = (connection: Connection): Promise<Model<CustomerRecord>> =>
  openCollection(connection, customerCollection);

type Customers = Model<CustomerRecord>;

export const createCustomer = (
  customers: Customers,
  organizationId: string,
  operationId: string | undefined,
  given: CustomerDetails,
  matchKey?: string,
): Promise<CustomerRecord> =>
  createRecord(customers, organizationId, operationId, {
    details: given,
    ...(given.email !== undefined && { emailKey: emailKey(given.email) }),
    ...(matchKey !== undefined && { matchKey }),
  });

/**
 * The oldest customer with the same external id, else btw-id, else e-mail; else a new one. Two matches at once make one customer:
 * both would insert the same unique `matchKey`, and the loser takes the winner's.
 */
export async function matchCustomer(
  customers: Customers,
  organizationId: string,
  operationId: string | undefined,
  given: CustomerDetails,
): Promise<CustomerRecord> {
  const made = operationId === undefined ? null : await findRecord(customers, organizationId, operationId);
  const found = made ?? (await findMatch(customers, organizationId, given));
  if (found) return found;
  const matchKey = matchKeyOf(given);
  try {
    return await createCustomer(customers, organizationId, operationId, given, matchKey);
  } catch (error) {
    if (matchKey === undefined || !isDuplicateKey(error, 'matchKey')) throw error;
    const winner = await customers.findOne({ organizationId, matchKey }).lean<CustomerRecord>().exec();
    if (winner) return winner;
    throw error;
  }
}

async function findMatch(
  customers: Customers,
  organizationId: string,
  { externalId, btwId, email }: CustomerDetails,
): Promise<CustomerRecord | null> {
  const oldest = (filter: Record<string, unknown>): Promise<CustomerRecord | null> =>
    customers
      .findOne({ organizationId, ...filter })
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
