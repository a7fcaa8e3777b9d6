import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js';
import { isIdentity, type Identity } from './access';

/** Who a process is, and whom it lets in. From the environment: see `serviceEnv` in libs/config. */
export interface RpcIdentity {
  readonly token: string;
  /** identity → SHA-256 (hex) of its token. */
  readonly tokenHashes: ReadonlyMap<Identity, string>;
  /** Both sides prove themselves by certificate; the identity is the certificate's common name, and tokens count for nothing. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer } | undefined;
}

interface RpcEnv {
  readonly SERVICE_TOKEN: string;
  readonly SERVICE_TOKEN_HASHES: string;
  readonly TLS_CERT_FILE?: string | undefined;
  readonly TLS_KEY_FILE?: string | undefined;
  readonly TLS_CA_FILE?: string | undefined;
}

/** Who this process is, from TLS_* and tokens. Throws when only a part of the TLS files is set. */
export function rpcIdentity(env: RpcEnv): RpcIdentity {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, TLS_CA_FILE: ca } = env;
  // Never fall back to plain text because a name is misspelt.
  if ((cert || key || ca) && !(cert && key && ca))
    throw new Error('TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE go together: set all three or none');
  return {
    token: env.SERVICE_TOKEN,
    tokenHashes: parseTokenHashes(env.SERVICE_TOKEN_HASHES),
    tls: cert && key && ca ? { cert: readFileSync(cert), key: readFileSync(key), ca: readFileSync(ca) } : undefined,
  };
}

function parseTokenHashes(text: string): ReadonlyMap<Identity, string> {
  const pairs = text.split(',').filter(Boolean);
  return new Map(
    pairs.map((pair) => {
      const [name, hash = ''] = pair.split('=', 2);
      if (!isIdentity(name)) throw new Error(`SERVICE_TOKEN_HASHES names ${name}, which is no identity`);
      return [name, hash];
    }),
  );
}

/** SHA-256 (hex) of a service token, as SERVICE_TOKEN_HASHES holds it. */
export const hashServiceToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The identity behind a token, or undefined. Compares every hash in constant time. */
export function identityOfToken(tokenHashes: ReadonlyMap<Identity, string>, token: string): Identity | undefined {
  const given = createHash('sha256').update(token).digest();
  let found: Identity | undefined;
  for (const [identity, known] of bytesOf(tokenHashes))
    if (known.length === given.length && timingSafeEqual(known, given)) found = identity;
  return found;
}

const decoded = new WeakMap<ReadonlyMap<Identity, string>, (readonly [Identity, Buffer])[]>();

/** Decoded once and not for every call. */
function bytesOf(tokenHashes: ReadonlyMap<Identity, string>): (readonly [Identity, Buffer])[] {
  let known = decoded.get(tokenHashes);
  if (!known) {
    known = [...tokenHashes].map(([identity, hash]) => [identity, Buffer.from(hash, 'hex')] as const);
    decoded.set(tokenHashes, known);
  }
  return known;
}

/** Mutual TLS when certificates are set, else plain text with tokens. */
export const serverCredentials = ({ tls }: RpcIdentity): ServerCredentials =>
  tls
    ? ServerCredentials.createSsl(tls.ca, [{ cert_chain: tls.cert, private_key: tls.key }], true)
    : ServerCredentials.createInsecure();

/** The same, for the calling side. */
export const channelCredentials = ({ tls }: RpcIdentity): ChannelCredentials =>
  tls ? ChannelCredentials.createSsl(tls.ca, tls.key, tls.cert) : ChannelCredentials.createInsecure();
