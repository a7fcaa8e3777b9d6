import { type mongo } from 'mongoose';
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
  insert: (key: KeyRecord) => Promise<void>;
  findByHashes: (hashes: readonly string[]) => Promise<KeyRecord[]>;
  /** Newest first; all organisations' when none is named. */
  list: (organizationId: string | undefined) => Promise<KeyRecord[]>;
  /** The key, now revoked; the time of the first revocation stays. Null when there is none, or it is not the named organisation's. */
  revoke: (id: string, organizationId: string | undefined, at: Date) => Promise<KeyRecord | null>;
  markUsed: (uses: ReadonlyMap<string, Date>) => Promise<void>;
}

const LIST_LIMIT = 10_000;

export async function openKeyStore(db: mongo.Db): Promise<KeyStore> {
  const keys = db.collection<KeyRecord>('keys');
  await keys.createIndex({ hash: 1 }, { unique: true });
  await keys.createIndex({ organizationId: 1, createdAt: -1 });
  // Not worth a flush to disk: losing a last-used time harms nobody.
  const uses = db.collection<KeyRecord>('keys', { writeConcern: { w: 1, journal: false } });

  return {
    insert: async (key) => void (await keys.insertOne(key)),
    findByHashes: (hashes) => keys.find({ hash: { $in: [...hashes] } }).toArray(),
    list: (organizationId) =>
      keys
        .find(organizationId === undefined ? {} : { organizationId })
        .sort({ createdAt: -1 })
        .limit(LIST_LIMIT)
        .toArray(),
    revoke: async (id, organizationId, at) => {
      const key = { _id: id, ...(organizationId !== undefined && { organizationId }) };
      await keys.updateOne({ ...key, revokedAt: null }, { $set: { revokedAt: at } });
      return keys.findOne(key);
    },
    markUsed: async (times) => {
      const updates = [...times].map(([_id, lastUsedAt]) => ({
        updateOne: { filter: { _id }, update: { $max: { lastUsedAt } } },
      }));
      if (updates.length > 0) await uses.bulkWrite(updates, { ordered: false });
    },
  };
}
