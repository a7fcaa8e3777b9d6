import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** What is signed: the head of a series as it was when this document was the last one in it. */
export interface SeriesHead {
  readonly organizationId: string;
  readonly series: string;
  readonly seq: number;
  readonly hash: string;
}

export interface SeriesSignature {
  /** Which key: the first 16 hex digits of the SHA-256 of its public half (SPKI, DER). */
  readonly keyId: string;
  /** Ed25519, base64url. */
  readonly value: string;
}

/** The keys that number series are signed with. They lie outside the store: who can write the one cannot write the other. */
export interface SeriesKeys {
  /** Undefined when there is no key to sign with. */
  sign: (head: SeriesHead) => SeriesSignature | undefined;
  /** False for a wrong signature and for one of a key that is not known. */
  isGenuine: (head: SeriesHead, signature: SeriesSignature) => boolean;
}

const BLOCK = /-----BEGIN (PRIVATE|PUBLIC) KEY-----[^-]+-----END \1 KEY-----/g;

/**
 * Reads PEM blocks of Ed25519 keys: the first private key signs, all others, private or public, are known for what they signed before.
 * To rotate, put a new private key first and keep the old one's public half. Throws when there is a text without a private key.
 */
export function seriesKeys(pem: string | undefined): SeriesKeys {
  if (pem === undefined) return { sign: () => undefined, isGenuine: () => false };
  const known = new Map<string, KeyObject>();
  let signer: { readonly keyId: string; readonly key: KeyObject } | undefined;
  for (const [block, kind] of pem.replaceAll('\\n', '\n').matchAll(BLOCK)) {
    const key = kind === 'PRIVATE' ? createPrivateKey(block) : createPublicKey(block);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('a series key must be of Ed25519');
    const publicKey = createPublicKey(block);
    const keyId = keyIdOf(publicKey);
    known.set(keyId, publicKey);
    if (key.type === 'private') signer ??= { keyId, key };
  }
  if (!signer) throw new Error('there is no private key among the series keys');
  const { keyId, key } = signer;
  return {
    sign: (head) => ({ keyId, value: sign(null, messageOf(head), key).toString('base64url') }),
    isGenuine: (head, signature) => {
      const publicKey = known.get(signature.keyId);
      return (
        publicKey !== undefined && verify(null, messageOf(head), publicKey, Buffer.from(signature.value, 'base64url'))
      );
    },
  };
}

const keyIdOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);

const messageOf = ({ organizationId, series, seq, hash }: SeriesHead): Buffer =>
  Buffer.from(JSON.stringify(['series-head/1', organizationId, series, seq, hash]));
