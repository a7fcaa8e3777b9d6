import {
  declareCollection,
  inOrganization,
  insertOnce,
  nativeCollection,
  oneOf,
  openCollection,
  required,
  type Connection,
} from '@invoicing/mongo';
import { type Mode } from './key-text';
import { type Scope } from './scopes';

/** A key as it is stored: everything but the key. */
export interface KeyRecord {
  readonly _id: string;
  /** SHA-256 (hex) of the key. */
  readonly hash: string;
  readonly prefix: string;
  /** Null for a platform key. */
  readonly organizationId: string | null;
  readonly profileId: string | null;
  readonly scopes: readonly Scope[];
  readonly platform: boolean;
  readonly mode: Mode;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** The keys' collection. */
export interface KeyStore {
  /** False when there is one with its id. */
  insert: (key: KeyRecord) => Promise<boolean>;
  findByHashes: (hashes: readonly string[]) => Promise<KeyRecord[]>;
  /** Newest first; all organisations' when none is named. */
  list: (organizationId: string | undefined) => Promise<KeyRecord[]>;
  /** The key, now revoked; the time of the first revocation stays. Null when there is none, or it is not the named organisation's. */
  revoke: (id: string, organizationId: string | undefined, at: Date) => Promise<KeyRecord | null>;
  markUsed: (uses: ReadonlyMap<string, Date>) => Promise<void>;
}

const LIST_LIMIT = 10_000;

export const keyCollection = declareCollection<KeyRecord>('keys', {
  // A few for each organisation, and each gateway looks a key up once in two seconds at most.
  shardKey: 'one shard',
  fields: {
    hash: required(String),
    prefix: required(String),
    organizationId: String,
    profileId: String,
    scopes: required([String]),
    platform: required(Boolean),
    mode: oneOf('live', 'test'),
    createdAt: required(Date),
    expiresAt: Date,
    revokedAt: Date,
    lastUsedAt: Date,
  },
  indexes: [[{ hash: 1 }, { unique: true }], [{ organizationId: 1, createdAt: -1 }]],
});

/** API keys, as hashes only. */
export async function openKeyStore(connection: Connection): Promise<KeyStore> {
  const model = await openCollection(connection, keyCollection);
  // Looked up for every request: past the model.
  const keys = nativeCollection(model);
  // Not worth a flush to disk: losing a last-used time harms nobody.
  const uses = nativeCollection(model, { writeConcern: { w: 1, journal: false } });

  return {
    insert: (key) => insertOnce(model, key, '_id'),
    findByHashes: (hashes) => keys.find({ hash: { $in: [...hashes] } }).toArray(),
    list: (organizationId) =>
      model.find(inOrganization(organizationId)).sort({ createdAt: -1 }).limit(LIST_LIMIT).lean<KeyRecord[]>().exec(),
    revoke: async (id, organizationId, at) => {
      const key = { ...inOrganization(organizationId), _id: id };
      await model.updateOne({ ...key, revokedAt: null }, { $set: { revokedAt: at } });
      return model.findOne(key).lean<KeyRecord>().exec();
    },
    markUsed: async (times) => {
      const updates = [...times].map(([_id, lastUsedAt]) => ({
        updateOne: { filter: { _id }, update: { $max: { lastUsedAt } } },
      }));
      if (updates.length > 0) await uses.bulkWrite(updates, { ordered: false });
    },
  };
}
