import { createHash } from 'node:crypto';
import type { Binary, Db } from 'mongodb';
import { isDuplicateKey } from '@invoicing/mongo';
import type { Organization } from './organization';
import type { Logos, Organizations } from '../invoices/invoice-ports';

/** Organisations with their profiles in one document. */
export async function mongoOrganizations(db: Db): Promise<Organizations> {
  const collection = db.collection<Organization>('organizations');
  await collection.createIndex({ createdAt: -1 });
  return {
    find: (id) => collection.findOne({ _id: id }),
    list: () => collection.find().sort({ createdAt: -1 }).toArray(),
    insert: (organization) => insertOnce(() => collection.insertOne(organization)),
    update: (id, { details, ...rest }) => {
      const changes = Object.entries(details).map(([field, value]) => [`details.${field}`, value]);
      const $set = { ...Object.fromEntries(changes), ...rest };
      if (Object.keys($set).length === 0) return collection.findOne({ _id: id });
      return collection.findOneAndUpdate({ _id: id }, { $set }, { returnDocument: 'after' });
    },
    addProfile: async (id, profile) => {
      await collection.updateOne({ _id: id, 'profiles.id': { $ne: profile.id } }, { $push: { profiles: profile } });
      return collection.findOne({ _id: id });
    },
  };
}

/** Logos by the hash of their bytes: an issued invoice names one, and it is never changed. */
export function mongoLogos(db: Db): Logos {
  const collection = db.collection<{ _id: string; bytes: Uint8Array | Binary }>('logos');
  return {
    put: async (logo) => {
      const id = createHash('sha256').update(logo).digest('hex');
      await insertOnce(() => collection.insertOne({ _id: id, bytes: Buffer.from(logo) }));
      return id;
    },
    find: async (id) => {
      const bytes = (await collection.findOne({ _id: id }))?.bytes;
      return bytes === undefined ? null : bytes instanceof Uint8Array ? bytes : bytes.buffer;
    },
  };
}

/** False when the `_id` is there already. */
export async function insertOnce(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
