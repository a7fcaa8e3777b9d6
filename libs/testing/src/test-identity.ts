import { hashServiceToken, identities, type RpcIdentity } from '@invoicing/rpc';

const tokenOf = (name: string): string => `test-token-${name}`;

/** An identity that every test server lets in under its own name. */
export const testIdentity = (name: string): RpcIdentity => ({
  token: tokenOf(name),
  tokenHashes: new Map(identities.map((each) => [each, hashServiceToken(tokenOf(each))])),
});
