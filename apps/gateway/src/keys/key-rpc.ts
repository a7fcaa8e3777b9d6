import { randomUUID } from 'node:crypto';
import { Mode as OrganizationMode, type Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { KeysService, type CreateKeyRequest, type Key } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { AppError, notFoundError, validationError, type Violation } from '@invoicing/errors';
import { bindService, type BoundService, type CallContext } from '@invoicing/rpc';
import { hashKeyText, newKeyText, visiblePrefix } from './key-text';
import { type KeyRecord, type KeyStore } from './key-store';
import { isOrganizationScope, organizationScopes, platformScopes, type Scope } from './scopes';

/** Every scope that a key of an organisation can carry. It must be said: a key that names no scope may nothing but say who it is. */
const ALL = 'all';

type FindOrganization = (id: string, context: CallContext) => Promise<Organization>;
type Limits = Pick<KeyRecord, 'organizationId' | 'profileId' | 'scopes' | 'platform' | 'mode'>;

/** gRPC gateway.v1.Keys: operators make, list and revoke API keys. */
export const keysService = (
  store: KeyStore,
  findOrganization: FindOrganization,
  onRevoked: (key: KeyRecord) => void,
): BoundService =>
  bindService(
    KeysService,
    {
      createKey: async (request, context) => {
        const now = new Date();
        const expiresAt = request.expiresAt ?? null;
        if (expiresAt && expiresAt <= now) refuse([{ path: '/expiresAt', message: 'must be in the future' }]);
        const limits = request.platform
          ? platformLimits(request)
          : await organizationLimits(request, findOrganization, context);
        const secret = newKeyText(limits.mode);
        const key: KeyRecord = {
          _id: context.operationId ?? randomUUID(),
          hash: hashKeyText(secret),
          prefix: visiblePrefix(secret),
          ...limits,
          createdAt: now,
          expiresAt,
          revokedAt: null,
          lastUsedAt: null,
        };
        if (!(await store.insert(key)))
          throw new AppError('conflict', 'conflict', 'the operation has made its key already, which is shown once');
        return { key: keyMessage(key), secret };
      },
      listKeys: async ({ organizationId }) => ({ keys: (await store.list(organizationId)).map(keyMessage) }),
      revokeKey: async ({ keyId, organizationId }) => {
        const key = await store.revoke(keyId, organizationId, new Date());
        if (!key) throw notFoundError('the key');
        onRevoked(key);
        return keyMessage(key);
      },
    },
    {
      createKey: { callers: ['application', 'admin'], action: 'keys.manage' },
      listKeys: { callers: ['application', 'admin'], action: 'keys.manage' },
      revokeKey: { callers: ['application', 'admin'], action: 'keys.manage' },
    },
  );

function platformLimits({ organizationId, profileId, scopes }: CreateKeyRequest): Limits {
  const violations: Violation[] = [];
  if (organizationId) violations.push({ path: '/organizationId', message: 'must be absent from a platform key' });
  if (profileId) violations.push({ path: '/profileId', message: 'must be absent from a platform key' });
  if (scopes.some((each) => each !== platformScopes[0]))
    violations.push({ path: '/scopes', message: `must be ${platformScopes[0]} alone on a platform key` });
  if (violations.length > 0) refuse(violations);
  return { organizationId: null, profileId: null, scopes: platformScopes, platform: true, mode: 'live' };
}

async function organizationLimits(
  { organizationId, profileId, scopes }: CreateKeyRequest,
  findOrganization: FindOrganization,
  context: CallContext,
): Promise<Limits> {
  const isAll = scopes.length === 1 && scopes[0] === ALL;
  const violations = scopes.flatMap((scope, at): Violation[] =>
    isAll || isOrganizationScope(scope)
      ? []
      : [{ path: `/scopes/${at}`, message: `must be one of ${organizationScopes.join(', ')}, or ${ALL} alone` }],
  );
  const organization = await findOrganization(organizationId, context).catch((error: unknown) => {
    if (error instanceof AppError && (error.kind === 'absent' || error.kind === 'invalid')) return undefined;
    throw error;
  });
  if (!organization) violations.push({ path: '/organizationId', message: 'does not exist' });
  else if (profileId && !organization.profiles.some(({ id }) => id === profileId))
    violations.push({ path: '/profileId', message: 'is no profile of the organisation' });
  if (violations.length > 0) refuse(violations);
  return {
    organizationId,
    profileId: profileId ?? null,
    scopes: isAll ? organizationScopes : ([...new Set(scopes)] as Scope[]),
    platform: false,
    mode: organization?.mode === OrganizationMode.TEST ? 'test' : 'live',
  };
}

function refuse(violations: Violation[]): never {
  throw validationError(violations);
}

const keyMessage = (key: KeyRecord): Key => ({
  id: key._id,
  prefix: key.prefix,
  organizationId: key.organizationId ?? '',
  profileId: key.profileId ?? undefined,
  scopes: [...key.scopes],
  platform: key.platform,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt ?? undefined,
  revokedAt: key.revokedAt ?? undefined,
  lastUsedAt: key.lastUsedAt ?? undefined,
});
