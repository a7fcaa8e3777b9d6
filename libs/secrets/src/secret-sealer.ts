import { createHash } from 'node:crypto';
import { decrypt, derivedKey, openBytes, sealBytes, type SealingPurpose } from './sealed-bytes';

/** Keeps secrets that are needed back (so cannot be hashes) unreadable to whoever gets hold of the store alone. */
export interface SecretSealer {
  /** What to store. `owner` (an id) is bound to it: it opens only for the same owner. */
  readonly seal: (secret: string, owner: string) => string;
  /** The secret of a stored value, also of one stored before there was a key. Throws when it was sealed by another key or for another. */
  readonly open: (stored: string, owner: string) => string;
}

/** What a sealer's key is made of. */
export interface SealingKey {
  /** From the operator; undefined: secrets are stored as they are, and stay readable once there is one. */
  readonly secret: string | undefined;
  /** Name of the setting that it comes from, for messages. */
  readonly setting: string;
  readonly purpose: SealingPurpose;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = 'v1:';
const PLAIN = 'plain:';
// Notification of before: another key derivation and another order of the parts. What is prefixed by nothing it stored without a key.
const SEALED_BEFORE = 'gcm1.';

/** AES-256-GCM under a key that HKDF-SHA256 (RFC 5869) derives: `v1:` and the base64 of nonce (12 bytes), ciphertext and tag (16). */
export function secretSealer({ secret, setting, purpose }: SealingKey): SecretSealer {
  const derived = (): Buffer => derivedKey(required(), purpose);
  const key = secret === undefined ? undefined : derived();

  function required(): string {
    if (secret === undefined) throw new Error(`${setting} is not set, but secrets in the store are sealed with it`);
    return secret;
  }

  return {
    seal: (value, owner) => {
      if (!key) return PLAIN + value;
      return SEALED + sealBytes(key, Buffer.from(value), owner).toString('base64');
    },
    open: (stored, owner) => {
      if (stored.startsWith(PLAIN)) return stored.slice(PLAIN.length);
      if (stored.startsWith(SEALED)) {
        const bytes = Buffer.from(stored.slice(SEALED.length), 'base64');
        return openBytes(key ?? derived(), bytes, owner).toString();
      }
      if (!stored.startsWith(SEALED_BEFORE)) return stored;
      const bytes = Buffer.from(stored.slice(SEALED_BEFORE.length), 'base64url');
      const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
      const keyOfBefore = createHash('sha256').update(required()).digest();
      return decrypt(keyOfBefore, { nonce, tag, sealed: bytes.subarray(NONCE_BYTES + TAG_BYTES) }, owner).toString();
    },
  };
}
