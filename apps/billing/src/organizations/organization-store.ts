import { createHash } from 'node:crypto';
import {
  NEWEST_FIRST,
  declareCollection,
  embedded,
  insertOnce,
  joinedFind,
  nativeCollection,
  newestPage,
  oneOf,
  openCollection,
  optionalList,
  recordedFields,
  required,
  type Binary,
  type Connection,
  type History,
  type Model,
  type RecordedSelf,
} from '@invoicing/mongo';
import { notFoundError } from '@invoicing/errors';
import type {
  DocumentRules,
  IssuePolicy,
  Limits,
  Organization,
  OrganizationDetails,
  Profile,
  SeriesStart,
  YearFormat,
} from './organization';
import type { Logos, Organizations } from '../invoices/invoice-ports';

/** An organisation with its last change. */
type OrganizationDocument = Organization & RecordedSelf;

const organizationCollection = declareCollection<OrganizationDocument>('organizations', {
  shardKey: { _id: 'hashed' },
  fields: {
    details: required(
      embedded<OrganizationDetails>({
        name: required(String),
        countryCode: required(String),
        kvkNumber: required(String),
        btwId: required(String),
        iban: required(String),
        bic: required(String),
        email: required(String),
        phone: String,
        addressLine1: required(String),
        postalCode: required(String),
        city: required(String),
        timezone: required(String),
        vatExemptionReason: required(String),
      }),
    ),
    plan: oneOf('standard', 'free'),
    billingStatus: oneOf('active', 'arrears'),
    mode: oneOf('live', 'test'),
    profiles: required([
      embedded<Profile>({
        id: required(String),
        name: required(String),
        numberFormat: required(String),
        laterFormats: optionalList(
          embedded<YearFormat>({ fromYear: required(Number), numberFormat: required(String) }),
        ),
        starts: optionalList(embedded<SeriesStart>({ year: required(Number), startNumber: required(Number) })),
        revision: Number,
        accentColor: required(String),
        footer: required(String),
        logoId: String,
      }),
    ]),
    issuePolicy: embedded<IssuePolicy>({
      closedUntil: String,
      daysBack: required(Number),
      daysAhead: required(Number),
    }),
    documentRules: embedded<DocumentRules>({ eInvoice: oneOf('peppol', 'national'), strict: required(Boolean) }),
    limits: embedded<Limits>({ mailQuotaPerDay: required(Number), catchUpPeriods: required(Number) }),
    openedSeries: optionalList(String),
    createdAt: required(Date),
    ...recordedFields,
  },
  indexes: [[NEWEST_FIRST], [{ 'profiles.id': 1 }]],
});

export const openOrganizations = (connection: Connection): Promise<Model<OrganizationDocument>> =>
  openCollection(connection, organizationCollection);

/** Organisations with their profiles in one document, and the history of their changes. */
export function mongoOrganizations(organizations: Model<OrganizationDocument>, history: History): Organizations {
  // Read for every request: past the model.
  const find = joinedFind(nativeCollection(organizations));
  return {
    find: (id) => find(undefined, id),
    list: () => organizations.find().sort(NEWEST_FIRST).lean<Organization[]>().exec(),
    page: (limit, cursor) => newestPage<Organization>(organizations, {}, { limit, cursor }),
    organizationOf: async (profileId) =>
      (await organizations.findOne({ 'profiles.id': profileId }, { _id: 1 }).lean().exec())?._id,
    insert: (organization, change) => history.insert<OrganizationDocument>(organizations, organization, change),
    change: (seen, change, $set, unopened = []) =>
      history.tryChange<OrganizationDocument>(organizations, seen, {
        ...change,
        update: { $set },
        ...(unopened.length > 0 && { only: { openedSeries: { $nin: [...unopened] } } }),
      }),
    assertSeen: (organization, latest, seen) =>
      seen === latest ? Promise.resolve() : history.assertSeen<OrganizationDocument>(organizations, organization, seen),
    openSeries: async (id, series) => {
      const opened = await organizations
        .findOneAndUpdate({ _id: id }, { $addToSet: { openedSeries: series } }, { returnDocument: 'after' })
        .lean<Organization>()
        .exec();
      if (!opened) throw notFoundError('the organisation');
      return opened;
    },
  };
}

interface LogoDocument {
  readonly _id: string;
  readonly bytes: Buffer | Binary;
}

const logoCollection = declareCollection<LogoDocument>('logos', {
  shardKey: { _id: 'hashed' },
  fields: { bytes: required(Buffer) },
  indexes: [],
});

/** Logos by the hash of their bytes: an issued invoice names one, and it is never changed. */
export async function mongoLogos(connection: Connection): Promise<Logos> {
  const logos = await openCollection(connection, logoCollection);
  return {
    put: async (logo) => {
      const id = createHash('sha256').update(logo).digest('hex');
      await insertOnce(logos, { _id: id, bytes: Buffer.from(logo) });
      return id;
    },
    find: async (id) => {
      const bytes = (await logos.findOne({ _id: id }).lean<LogoDocument>().exec())?.bytes;
      return bytes === undefined ? null : bytes instanceof Uint8Array ? bytes : bytes.buffer;
    },
  };
}
