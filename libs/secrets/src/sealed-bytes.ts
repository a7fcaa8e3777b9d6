import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What is sealed: keys of different purposes are unrelated (the salt and info of HKDF). */
export interface SealingPurpose {
  readonly service: string;
  readonly values: string;
}

/** A key of 32 bytes out of a secret of the operator, by HKDF-SHA256 (RFC 5869). */
export const derivedKey = (secret: string, { service, values }: SealingPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, `invoicing.${service}`, values, KEY_BYTES));

/** AES-256-GCM: nonce (12 bytes), ciphertext and tag (16). `owner` is bound to it: it opens only for the same owner. */
export function sealBytes(key: Buffer, bytes: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** What was sealed. Throws when it was sealed by another key or for another, or changed since. */
export const openBytes = (key: Buffer, sealed: Buffer, owner: string): Buffer =>
  decrypt(
    key,
    {
      nonce: sealed.subarray(0, NONCE_BYTES),
      sealed: sealed.subarray(NONCE_BYTES, -TAG_BYTES),
      tag: sealed.subarray(-TAG_BYTES),
    },
    owner,
  );

/** AES-256-GCM of parts that lie apart. */
export function decrypt(key: Buffer, parts: Record<'nonce' | 'sealed' | 'tag', Buffer>, owner: string): Buffer {
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key, parts.nonce, options).setAAD(Buffer.from(owner)).setAuthTag(parts.tag);
  return Buffer.concat([decipher.update(parts.sealed), decipher.final()]);
}
