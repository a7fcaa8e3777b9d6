import { AppError, notFoundError } from '@invoicing/errors';
import { type Call, type PaymentMethod, type Ports } from '../sessions/session-ports';
import { payingAccount } from './paying-account';

const AMOUNT_CENTS = 1_000;
const CURRENCY = 'EUR';

/** What a payment would meet now: the methods, or why there are none. */
export interface ProviderTest {
  readonly methods: readonly PaymentMethod[];
  /** Stable code; empty when it went well. */
  readonly error: string;
}

/** Asks the connected provider what it offers for € 10. Throws `not_found` when none is connected. */
export async function testProvider(
  ports: Pick<Ports, 'accounts' | 'billing' | 'modeOf' | 'report' | 'openProvider'>,
  organizationId: string,
  call: Call,
): Promise<ProviderTest> {
  const account = await payingAccount(ports, organizationId, call);
  if (!account) throw notFoundError('the payment provider');
  try {
    return { methods: await ports.openProvider(account).listMethods(AMOUNT_CENTS, CURRENCY, 'nl'), error: '' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { methods: [], error: error.code };
  }
}
