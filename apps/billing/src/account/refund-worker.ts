import { startDueWorker, type DueWorker } from '@invoicing/mongo';
import type { Call } from '../invoices/invoice-ports';
import type { AccountPorts } from '../billing-ports';
import { FOLLOW_UP_LEASE_MS, followRefund } from './follow-refund';

const POLL_MS = 2_000;
const RETRY_MIN_MS = 5_000;
const RETRY_MAX_MS = 600_000;

/** Goes on with refunds whose writer did not: crediting them, asking the provider. In every replica side by side. */
export function startRefundWorker(
  ports: AccountPorts,
  newCall: () => Call,
  onError: (error: unknown) => void,
): DueWorker {
  return startDueWorker({ round: () => followDueRefund(ports, newCall()), pollMs: POLL_MS, onError });
}

/** One refund; answers whether there was one. Ever less often, by its age, when it cannot be done now. */
export async function followDueRefund(ports: AccountPorts, call: Call): Promise<boolean> {
  const now = ports.now();
  const refund = await ports.accounts.claimDue(now, new Date(now.getTime() + FOLLOW_UP_LEASE_MS));
  if (!refund) return false;
  try {
    const issued = await ports.invoices.find(refund.organizationId, refund.invoiceId);
    if (issued) await followRefund(ports, issued, refund, call);
  } catch (error) {
    ports.onError(error);
    const age = now.getTime() - refund.at.getTime();
    const delayMs = Math.max(RETRY_MIN_MS, Math.min(age / 2, RETRY_MAX_MS));
    await ports.accounts.postpone(refund.organizationId, refund._id, new Date(now.getTime() + delayMs));
  }
  return true;
}
