import { AppError, validationError } from '@invoicing/errors';
import { targetFault } from '@invoicing/rules';
import type { AccessPointAccount } from './access-point';
import type { AccessPointKinds } from './access-point-kinds';
import type { AccessPointStore } from './access-point-store';

export interface ConnectPorts {
  readonly kinds: AccessPointKinds;
  readonly accounts: AccessPointStore;
  /** Throws `not_found`. */
  readonly modeOf: (organizationId: string) => Promise<'live' | 'test'>;
  readonly now: (organizationId: string) => Date;
  readonly allowLoopback: boolean;
}

/**
 * Connects an account in place of the one before, once the access point has said that its key may send as who it says. Deliveries that run
 * on the old one stay with it. Whether real companies get what is sent must be the organisation's own mode. Throws `sandbox_needs_test`,
 * `validation` or `unavailable`.
 */
export async function connectAccessPoint(
  { kinds, accounts, modeOf, now, allowLoopback }: ConnectPorts,
  wanted: Omit<AccessPointAccount, 'connectedAt' | 'mode'>,
): Promise<AccessPointAccount> {
  const { organizationId, accessPoint, baseUrl } = wanted;
  const kind = Object.hasOwn(kinds, accessPoint) ? kinds[accessPoint] : undefined;
  if (!kind)
    throw validationError([{ path: '/accessPoint', message: `must be one of ${Object.keys(kinds).join(', ')}` }]);
  const baseFault = baseUrl === null ? undefined : targetFault(baseUrl, allowLoopback);
  const faults = [...kind.check(wanted), ...(baseFault ? [{ path: '/baseUrl', message: baseFault }] : [])];
  if (faults.length > 0) throw validationError(faults);
  const mode = await modeOf(organizationId);
  if (kind.mode === 'test' && mode !== 'test')
    throw new AppError('blocked', 'sandbox_needs_test', 'only a test organisation can connect the sandbox');
  if (kind.mode === 'live' && mode !== 'live')
    throw validationError([
      { path: '/accessPoint', message: 'reaches real companies and the organisation is test: connect the sandbox' },
    ]);
  const known = await accounts.find(organizationId, wanted.id);
  if (known) return known;
  try {
    await kind.open(wanted).verify();
  } catch (error) {
    const isRefused = error instanceof AppError && ['unauthenticated', 'absent', 'invalid'].includes(error.kind);
    if (!isRefused) throw error;
    const message = 'is refused by the access point, or may not send as this sender';
    throw validationError([{ path: '/apiKey', message }]);
  }
  return accounts.insert({ ...wanted, mode, connectedAt: now(organizationId) });
}
