import { type Language } from '@invoicing/design';
import { payingAccount } from '../providers/paying-account';
import { amountOf, type Session } from '../sessions/session';
import { type Ports, type ProviderAccount } from '../sessions/session-ports';
import { PAGE_TIMEOUT_MS, within } from './page-request';
import { type Offer } from './session-page';

/** The account that a session is paid on now, and what it offers for its sum. */
export interface AccountOffer {
  readonly account: ProviderAccount | null;
  readonly offer: Offer;
}

/** Which methods a payer can choose from; a provider that does not answer in time is down. */
export async function offerOf(ports: Ports, session: Session, language: Language): Promise<AccountOffer> {
  const account = await payingAccount(ports, session.organizationId, ports.newCall(PAGE_TIMEOUT_MS));
  if (!account) return { account, offer: { kind: 'none_connected' } };
  try {
    const listed = ports.openProvider(account).listMethods(amountOf(session), session.currency, language);
    const methods = await within(PAGE_TIMEOUT_MS, listed, null);
    if (!methods) return { account, offer: { kind: 'down' } };
    const offered = methods.filter(({ id }) => session.methods.length === 0 || session.methods.includes(id));
    return { account, offer: { kind: 'methods', methods: offered } };
  } catch (error) {
    ports.report('provider_failed', { sessionId: session.id, error });
    return { account, offer: { kind: 'down' } };
  }
}
