import { AppError } from '@invoicing/errors';
import { secretSealer, type SecretSealer } from '@invoicing/secrets';

/**
 * Seals the providers' API keys under PROVIDER_KEY_SECRET, bound to the account's id. There is no default secret: without one, keys are
 * stored as they are where the operator allows it (development), else connecting such a provider is refused.
 */
export function keyVault(secret: string | undefined, allowPlain: boolean): SecretSealer {
  const purpose = { service: 'checkout', values: 'provider-api-keys' };
  const sealer = secretSealer({ secret, setting: 'PROVIDER_KEY_SECRET', purpose });
  if (secret !== undefined || allowPlain) return sealer;
  const refuse = (): never => {
    throw new AppError('blocked', 'provider_key_secret_missing', 'set PROVIDER_KEY_SECRET to connect this provider');
  };
  return { ...sealer, seal: refuse };
}
