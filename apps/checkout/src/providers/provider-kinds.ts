import { AppError } from '@invoicing/errors';
import {
  type OpenProvider,
  type PaymentMethod,
  type PaymentProvider,
  type ProviderAccount,
} from '../sessions/session-ports';
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

const METHODS_FRESH_MS = 60_000;
const METHODS_STALE_MS = 900_000;
const CACHE_LIMIT = 2_000;

/**
 * Opens accounts, and remembers for a minute which methods an account offers for a sum: the page asks at every visit.
 * While the provider is down, a somewhat older answer still serves.
 */
export function providerOpener(kinds: ProviderKinds, now: () => number): OpenProvider {
  const cache = new Map<string, { at: number; methods: readonly PaymentMethod[] }>();

  return (account) => {
    const provider = kindOf(kinds, account.provider).open(account);
    return { ...provider, listMethods: (...query) => remembered(account, provider, query) };
  };

  async function remembered(
    account: ProviderAccount,
    provider: PaymentProvider,
    query: Parameters<PaymentProvider['listMethods']>,
  ): Promise<readonly PaymentMethod[]> {
    const key = [account.id, ...query].join(' ');
    const known = cache.get(key);
    if (known && now() - known.at < METHODS_FRESH_MS) return known.methods;
    try {
      const methods = await provider.listMethods(...query);
      cache.delete(key);
      cache.set(key, { at: now(), methods });
      const [oldest] = cache.keys();
      if (cache.size > CACHE_LIMIT && oldest !== undefined) cache.delete(oldest);
      return methods;
    } catch (error) {
      if (known && now() - known.at < METHODS_STALE_MS) return known.methods;
      throw error;
    }
  }
}

export function kindOf(kinds: ProviderKinds, name: string): ProviderKind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!kind) throw new AppError('internal', 'generic', `there is no payment provider ${name}`);
  return kind;
}
