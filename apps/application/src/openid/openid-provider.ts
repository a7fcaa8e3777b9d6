import { ConfigError } from '@invoicing/config';
import { isRole, isUuid, type Role } from '@invoicing/rules';

/** A company's own sign-in, by OpenID Connect. */
export interface OpenidProvider {
  /** In addresses: lower-case letters, digits and hyphens. */
  readonly id: string;
  /** On the button. */
  readonly name: string;
  /** Its discovery document is at `/.well-known/openid-configuration` below. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** It is believed about addresses of these domains only: whoever owns a domain receives its codes by mail, too. Lower case. */
  readonly domains: readonly string[];
  /** Whoever signs in by it for the first time becomes a member here; absent: only who was invited gets in. */
  readonly organizationId?: string;
  /** As what; absent: viewer. */
  readonly role: Role;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;

function providerOf(entry: unknown): OpenidProvider {
  const given = (entry ?? {}) as Record<string, unknown>;
  const { id, name, issuer, clientId, clientSecret, domains, organizationId, role = 'viewer' } = given;
  if (!isText(id) || !/^[a-z0-9-]{1,40}$/.test(id))
    throw new Error('each needs an id of lower-case letters, digits and hyphens');
  const wrong = (what: string): Error => new Error(`${id}: ${what}`);
  if (!isText(name)) throw wrong('needs a name');
  if (!isText(issuer) || !URL.canParse(issuer) || !(issuer.startsWith('https://') || LOOPBACK.test(issuer)))
    throw wrong('needs an issuer with https (http on this machine only)');
  if (!isText(clientId) || !isText(clientSecret)) throw wrong('needs clientId and clientSecret');
  if (
    !Array.isArray(domains) ||
    domains.length === 0 ||
    !domains.every((each) => isText(each) && /^[^@\s]+\.[^@\s]+$/.test(each))
  )
    throw wrong('needs domains, the ends of the addresses that it is believed about');
  if (!isRole(role)) throw wrong('has a role that is none');
  const joined = isText(organizationId) && isUuid(organizationId) ? organizationId : undefined;
  if (organizationId !== joined) throw wrong('has an organizationId that is no UUID');
  return {
    ...{ id, name, issuer, clientId, clientSecret, role },
    domains: (domains as string[]).map((each) => each.toLowerCase()),
    ...(joined !== undefined && { organizationId: joined }),
  };
}

/** A JSON list of providers, as `OPENID_PROVIDERS` says it; undefined: none. Throws `ConfigError` with the first fault. */
export function openidProviders(text: string | undefined): readonly OpenidProvider[] {
  if (!text) return [];
  try {
    return listOf(text);
  } catch (error) {
    throw new ConfigError(`OPENID_PROVIDERS: ${(error as Error).message}`);
  }
}

function listOf(text: string): readonly OpenidProvider[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new Error('must be a JSON list');
  }
  if (!Array.isArray(list)) throw new Error('must be a JSON list');
  const providers = list.map(providerOf);
  if (new Set(providers.map(({ id }) => id)).size < providers.length) throw new Error('has an id twice');
  return providers;
}
