import { AppError, validationError } from '@invoicing/errors';
import { type Call, type Ports, type ProviderAccount } from '../sessions/session-ports';

/**
 * Connects an account in place of the one before. Attempts that run on the old one stay with it. Whether money is real with these
 * settings must be the organisation's own, so that no live invoice is marked paid with play money and no test pays for real.
 * Throws `sandbox_needs_test` or `validation`.
 */
export async function connectProvider(
  ports: Ports,
  wanted: Omit<ProviderAccount, 'connectedAt' | 'mode'>,
  call: Call,
): Promise<ProviderAccount> {
  const mode = ports.modeOf(wanted);
  const seller = await ports.billing.seller(wanted.organizationId, call);
  if (wanted.provider === 'sandbox' && seller.mode !== 'test')
    throw new AppError('blocked', 'sandbox_needs_test', 'only a test organisation can connect the sandbox provider');
  if (mode !== seller.mode)
    throw validationError([
      {
        path: '/apiKey',
        message: `is a ${mode} key and the organisation is ${seller.mode}: connect a ${seller.mode} key`,
      },
    ]);
  return ports.accounts.insert({ ...wanted, mode, connectedAt: ports.clock.now(wanted.organizationId) });
}
