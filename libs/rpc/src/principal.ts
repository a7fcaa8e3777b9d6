import type { Metadata } from '@grpc/grpc-js';
import { AppError, notFoundError } from '@invoicing/errors';
import { isRole, isUuid, mayDo, type Action, type Actor, type Role } from '@invoicing/rules';
import { isIdentity, type Identity, type MethodAccess } from './access';

/** For whom a call is made. It goes on with every call that follows from it. */
export interface Principal {
  /** Where it began: the process that speaks for somebody, or for itself. */
  readonly service: Identity;
  /** UUID. The one organisation that it is about. */
  readonly organizationId?: string | undefined;
  /** A user's id, `key:` and an API key's id, or an operator's name. */
  readonly userId?: string | undefined;
  /** What the signed-in person is in the organisation. */
  readonly role?: Role | undefined;
  /** How people know the user or key. */
  readonly label?: string | undefined;
}

// These may say for whom they call; services that serve calls pass on what they were told; platform billing speaks for itself.
const SPEAKERS: readonly Identity[] = ['gateway', 'application', 'admin'];
const MESSENGERS: readonly Identity[] = ['gateway', 'billing', 'catalog', 'checkout', 'notification'];
const KEYS = {
  service: 'x-principal-service',
  organizationId: 'x-principal-organization',
  userId: 'x-principal-user',
  role: 'x-principal-role',
  label: 'x-principal-label',
} as const satisfies Record<keyof Principal, string>;
const LIMIT = 200;

/** Puts for whom a call is made into its metadata. */
export function writePrincipal(metadata: Metadata, principal: Principal | undefined): void {
  for (const [field, key] of Object.entries(KEYS)) {
    const value = principal?.[field as keyof Principal];
    if (value !== undefined) metadata.set(key, encodeURIComponent(value));
  }
}

/** For whom `caller` says that it calls. Throws `forbidden` when it may not say so, `invalid` when it makes no sense. */
export function readPrincipal(metadata: Metadata, caller: Identity): Principal {
  const said: Partial<Record<keyof Principal, string>> = {};
  for (const [field, key] of Object.entries(KEYS)) {
    const value = text(metadata, key);
    if (value !== undefined) said[field as keyof Principal] = value;
  }
  if (Object.keys(said).length === 0) return { service: caller };
  const { service = caller, organizationId, userId, role, label } = said;
  const mayBegin = SPEAKERS.includes(caller) && service === caller;
  if (!mayBegin && !MESSENGERS.includes(caller)) throw forbidden(`${caller} may not call for anybody else`);
  if (!isIdentity(service)) throw invalid(KEYS.service);
  if (organizationId !== undefined && !isUuid(organizationId)) throw invalid(KEYS.organizationId);
  if (role === undefined) return { service, organizationId, userId, label };
  if (!isRole(role)) throw invalid(KEYS.role);
  if (service !== 'application') throw forbidden('people with a role come through the application');
  return { service, organizationId, userId, role, label };
}

/**
 * Refuses whoever the method does not admit: first the calling process, then an organisation that is not the principal's (which looks
 * like one that does not exist), then a person whose role does not allow the action.
 */
export function authorize(access: MethodAccess, caller: Identity, principal: Principal, request: unknown): void {
  if (!access.callers.includes(caller)) throw forbidden(`${caller} may not call this method`);
  const { organizationId, service } = principal;
  const named = (request as { organizationId?: string } | undefined)?.organizationId;
  // Who speaks for somebody always names the organisation; a service between may ask for what none is named in.
  const isForeign = organizationId !== named && (caller === service || Boolean(named));
  if (organizationId !== undefined && isForeign) throw notFoundError('the organisation');
  if (caller === 'application') authorizePerson(access.action, principal);
}

/** The application calls for a person wherever people may do something, and by itself everywhere else. */
function authorizePerson(action: Action | undefined, { organizationId, userId, role }: Principal): void {
  if (action === undefined) {
    if (role !== undefined) throw forbidden('not for people');
  } else if (role === undefined || userId === undefined || organizationId === undefined) {
    throw forbidden('a person, a role and an organisation are required');
  } else assertMay({ role }, action);
}

/** For what depends on the request: throws `forbidden` when the call is for a person whose role does not allow this. */
export function assertMay({ role }: Pick<Principal, 'role'>, action: Action): void {
  if (role !== undefined && !mayDo(role, action)) throw forbidden(`${action} is not for the role ${role}`);
}

/** Who did it, for what is stored. */
export function actorOf({ service, userId, label }: Principal): Actor {
  if (service === 'application' && userId) return { kind: 'user', id: userId, label };
  if (service === 'gateway' && userId?.startsWith('key:')) return { kind: 'key', id: userId.slice(4), label };
  if (service === 'admin') return { kind: 'operator', id: userId ?? 'admin', label };
  return { kind: 'service', id: service };
}

function text(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  if (typeof value !== 'string' || value === '') return undefined;
  try {
    const decoded = decodeURIComponent(value);
    if (decoded.length <= LIMIT) return decoded;
  } catch {
    // Not what encodeURIComponent makes.
  }
  throw invalid(key);
}

const forbidden = (message: string): AppError => new AppError('forbidden', 'forbidden', message);
const invalid = (key: string): AppError => new AppError('invalid', 'validation', `${key} is not valid`);
