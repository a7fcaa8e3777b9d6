import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '@invoicing/errors';

/** Keeps the providers' API keys unreadable to whoever gets hold of the store alone. */
export interface KeyVault {
  /** Throws `blocked` when there is no secret and plain keys are not allowed. */
  seal: (key: string, accountId: string) => string;
  open: (sealed: string, accountId: string) => string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = 'v1:';
const PLAIN = 'plain:';

/**
 * AES-256-GCM under PROVIDER_KEY_SECRET, bound to the account's id. There is no default secret: without one, keys are stored
 * as they are where the operator allows it (development), else connecting such a provider is refused.
 */
export function keyVault(secret: string | undefined, allowPlain: boolean): KeyVault {
  const cipherKey =
    secret === undefined
      ? undefined
      : Buffer.from(hkdfSync('sha256', secret, 'invoicing.checkout', 'provider-api-keys', 32));
  return {
    seal: (key, accountId) => {
      if (!cipherKey) {
        if (allowPlain) return PLAIN + key;
        throw new AppError(
          'blocked',
          'provider_key_secret_missing',
          'set PROVIDER_KEY_SECRET to connect this provider',
        );
      }
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, cipherKey, nonce).setAAD(Buffer.from(accountId));
      const sealed = Buffer.concat([nonce, cipher.update(key, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return SEALED + sealed.toString('base64');
    },
    open: (sealed, accountId) => {
      if (sealed.startsWith(PLAIN)) return sealed.slice(PLAIN.length);
      if (!cipherKey || !sealed.startsWith(SEALED))
        throw new AppError('internal', 'generic', 'a provider key is sealed and PROVIDER_KEY_SECRET is not set');
      const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64');
      const decipher = createDecipheriv(CIPHER, cipherKey, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(accountId))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
