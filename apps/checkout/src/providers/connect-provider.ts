import { AppError } from '@invoicing/errors';
import { type Call, type Ports, type ProviderAccount } from '../sessions/session-ports';

/** Connects an account in place of the one before. Attempts that run on the old one stay with it. */
export async function connectProvider(
  ports: Ports,
  wanted: Omit<ProviderAccount, 'connectedAt'>,
  call: Call,
): Promise<ProviderAccount> {
  const seller = await ports.billing.seller(wanted.organizationId, call);
  if (wanted.provider === 'sandbox' && seller.mode !== 'test')
    throw new AppError('blocked', 'sandbox_needs_test', 'only a test organisation can connect the sandbox provider');
  return ports.accounts.insert({ ...wanted, connectedAt: ports.clock.now() });
}
