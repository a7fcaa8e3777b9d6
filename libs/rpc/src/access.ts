import type { Action } from '@invoicing/rules';
import type { ServiceDefinition } from './service-definition';

/** Everyone who can be known inside: the services, `admin` (operators) and `platform-billing` (the platform's own billing). */
export const identities = [
  'gateway',
  'billing',
  'catalog',
  'checkout',
  'notification',
  'application',
  'admin',
  'platform-billing',
] as const;
/** Name of a service or program that calls. */
export type Identity = (typeof identities)[number];

/** Whether a name is one of the known callers. */
export const isIdentity = (name: unknown): name is Identity => (identities as readonly unknown[]).includes(name);

/** Who may call a method, and as what. Whoever is not named is refused. */
export interface MethodAccess {
  readonly callers: readonly Identity[];
  /** What people do by it: their role must allow it. Without one it is not for people. */
  readonly action?: Action;
  /** It can be tried out: with `x-dry-run: true` it checks and answers as ever, and stores nothing. Any other method refuses that. */
  readonly dryRun?: true;
}

/** One row a method: a service with a method that nobody thought about does not compile. */
export type ServiceAccess<D extends ServiceDefinition> = { readonly [M in keyof D]: MethodAccess };
