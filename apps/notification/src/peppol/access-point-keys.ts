import { AppError } from '@invoicing/errors';
import { secretSealer, type SecretSealer } from '@invoicing/secrets';

/**
 * Seals the keys of access points under PROVIDER_KEY_SECRET, bound to the account's id. There is no default secret: without one, keys are
 * stored as they are where the operator allows it (development), else connecting such an access point is refused.
 */
export function accessPointKeys(secret: string | undefined, allowPlain: boolean): SecretSealer {
  const purpose = { service: 'notification', values: 'access-point-keys' };
  const sealer = secretSealer({ secret, setting: 'PROVIDER_KEY_SECRET', purpose });
  if (secret !== undefined || allowPlain) return sealer;
  const refuse = (): never => {
    throw new AppError(
      'blocked',
      'provider_key_secret_missing',
      'set PROVIDER_KEY_SECRET to connect this access point',
    );
  };
  return { ...sealer, seal: refuse };
}
