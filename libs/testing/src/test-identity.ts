import { hashServiceToken, type RpcIdentity } from '@invoicing/rpc';

const NAMES = ['gateway', 'billing', 'catalog', 'checkout', 'notification', 'admin', 'platform-billing'];
const tokenOf = (name: string): string => `test-token-${name}`;

/** An identity that every test server lets in under its own name. */
export const testIdentity = (name: string): RpcIdentity => ({
  token: tokenOf(name),
  tokenHashes: new Map(NAMES.map((each) => [each, hashServiceToken(tokenOf(each))])),
});
