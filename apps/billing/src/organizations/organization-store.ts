import { createHash } from 'node:crypto';
import {
  NEWEST_FIRST,
  declareCollection,
  embedded,
  insertOnce,
  newestPage,
  oneOf,
  openCollection,
  required,
  type Binary,
  type Connection,
} from '@invoicing/mongo';
import type { IssuePolicy, Limits, Organization, OrganizationDetails, Profile } from './organization';
import type { Logos, Organizations } from '../invoices/invoice-ports';

export const organizationCollection = declareCollection<Organization>('organizations', {
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
    limits: embedded<Limits>({ mailQuotaPerDay: required(Number), catchUpPeriods: required(Number) }),
    createdAt: required(Date),
  },
  indexes: [[NEWEST_FIRST]],
});

/** Organisations with their profiles in one document. */
export async function mongoOrganizations(connection: Connection): Promise<Organizations> {
  const organizations = await openCollection(connection, organizationCollection);
  const find = (id: string): Promise<Organization | null> =>
    organizations.findOne({ _id: id }).lean<Organization>().exec();
  return {
    find,
    list: () => organizations.find().sort(NEWEST_FIRST).lean<Organization[]>().exec(),
    page: (limit, cursor) => newestPage<Organization>(organizations, {}, { limit, cursor }),
    insert: (organization) => insertOnce(organizations, organization),
    update: (id, { details, ...rest }) => {
      const changes = Object.entries(details).map(([field, value]) => [`details.${field}`, value]);
      const $set = { ...Object.fromEntries(changes), ...rest };
      if (Object.keys($set).length === 0) return find(id);
      return organizations
        .findOneAndUpdate({ _id: id }, { $set }, { returnDocument: 'after' })
        .lean<Organization>()
        .exec();
    },
    addProfile: async (id, profile, count) => {
      const { modifiedCount } = await organizations.updateOne(
        { _id: id, profiles: { $size: count } },
        { $push: { profiles: profile } },
      );
      return modifiedCount === 1;
    },
  };
}

interface LogoDocument {
  readonly _id: string;
  readonly bytes: Buffer | Binary;
}

export const logoCollection = declareCollection<LogoDocument>('logos', {
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
