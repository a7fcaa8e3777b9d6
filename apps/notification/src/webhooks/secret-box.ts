import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Keeps secrets in the store. Signing needs them back, so they cannot be hashes. */
export interface SecretBox {
  /** `owner` is bound to the result: it opens only for the same owner. */
  seal: (secret: string, owner: string) => string;
  open: (sealed: string, owner: string) => string;
}

const SEALED = 'gcm1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** With a key: AES-256-GCM. Without one secrets are stored as they are, and stay readable after a key is set. */
export function secretBox(key: string | undefined): SecretBox {
  const keyBytes = key === undefined ? undefined : createHash('sha256').update(key).digest();
  return {
    seal: (secret, owner) => {
      if (!keyBytes) return secret;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyBytes, iv).setAAD(Buffer.from(owner));
      const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return SEALED + Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url');
    },
    open: (sealed, owner) => {
      if (!sealed.startsWith(SEALED)) return sealed;
      if (!keyBytes) throw new Error('WEBHOOK_SECRET_KEY is not set, but secrets in the store are sealed with it');
      const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keyBytes, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
