import { type Call, type Ports, type ProviderAccount } from '../sessions/session-ports';

/**
 * The account that payments of an organisation start on; null when none is connected. An account from before modes were compared is
 * compared now: with one of the other mode no payment starts, as if none were connected.
 */
export async function payingAccount(
  ports: Pick<Ports, 'accounts' | 'billing' | 'modeOf' | 'report'>,
  organizationId: string,
  call: Call,
): Promise<ProviderAccount | null> {
  const account = await ports.accounts.current(organizationId);
  if (!account || account.mode !== undefined) return account;
  const { mode } = await ports.billing.seller(organizationId, call);
  if (ports.modeOf(account) === mode) return account;
  ports.report('provider_of_other_mode', { organizationId, accountId: account.id });
  return null;
}
