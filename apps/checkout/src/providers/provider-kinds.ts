import { FreshCache } from '@invoicing/concurrency';
import { AppError } from '@invoicing/errors';
import { type OpenProvider, type PaymentProvider } from '../sessions/session-ports';
import { mollieKind } from './mollie/mollie-kind';
import { type ProviderKind } from './provider-kind';
import { sandboxKind } from './sandbox/sandbox-kind';

export type ProviderKinds = Readonly<Record<string, ProviderKind>>;

export const providerKinds = (options: {
  readonly sandboxUrl: () => string;
  readonly token: string;
  readonly publicUrl: string;
}): ProviderKinds => ({
  sandbox: sandboxKind(options),
  mollie: mollieKind(),
});

// The page asks at every visit. While the provider is down, a somewhat older answer still serves.
const METHODS_AGE = { freshMs: 60_000, usableMs: 60_000, onFailureMs: 900_000 };
const MAX_METHODS = 2_000;

/** Opens accounts, and remembers for a minute which methods an account offers for a sum. */
export function providerOpener(kinds: ProviderKinds, now: () => number): OpenProvider {
  type Ask = () => ReturnType<PaymentProvider['listMethods']>;
  const methods = new FreshCache((_key, ask: Ask) => ask(), METHODS_AGE, MAX_METHODS, now);
  return (account) => {
    const provider = kindOf(kinds, account.provider).open(account);
    return {
      ...provider,
      listMethods: async (...query) =>
        methods.get([account.id, ...query].join(' '), () => provider.listMethods(...query)),
    };
  };
}

/** The kind of provider with that name; it is one of ours, or an account could not have been connected. */
export function kindOf(kinds: ProviderKinds, name: string): ProviderKind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind) throw new AppError('internal', 'generic', `there is no payment provider ${name}`);
  return kind;
}
