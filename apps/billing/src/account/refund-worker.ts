import { startDueWorker, type DueWorker } from '@invoicing/mongo';
import type { Call } from '../invoices/invoice-ports';
import type { AccountPorts } from '../billing-ports';
import { FOLLOW_UP_LEASE_MS, followRefund } from './follow-refund';
import { tellOverdue } from './tell-overdue';

const POLL_MS = 2_000;
const RETRY_MIN_MS = 5_000;
const RETRY_MAX_MS = 600_000;

/**
 * Goes on with refunds whose writer did not: crediting them, asking the provider; and looks whether what is open again is overdue.
 * In every replica side by side.
 */
export function startRefundWorker(
  ports: AccountPorts,
  newCall: () => Call,
  onError: (error: unknown) => void,
): DueWorker {
  return startDueWorker({ round: () => followDueEntry(ports, newCall()), pollMs: POLL_MS, onError });
}

/** One entry; answers whether there was one. Ever less often, by its age, when it cannot be done now. */
export async function followDueEntry(ports: AccountPorts, call: Call): Promise<boolean> {
  const now = ports.now();
  const entry = await ports.accounts.claimDue(now, new Date(now.getTime() + FOLLOW_UP_LEASE_MS));
  if (!entry) return false;
  const { organizationId, _id } = entry;
  try {
    const issued = await ports.invoices.find(organizationId, entry.invoiceId);
    if (issued && entry.type === 'refund') await followRefund(ports, issued, entry, call);
    else if (issued) {
      // It left more open than before.
      await tellOverdue(ports, issued);
      await ports.accounts.followedUp(organizationId, _id);
    }
  } catch (error) {
    ports.onError(error);
    const here = ports.now(organizationId).getTime();
    const age = here - entry.at.getTime();
    const delayMs = Math.max(RETRY_MIN_MS, Math.min(age / 2, RETRY_MAX_MS));
    await ports.accounts.postpone(organizationId, _id, new Date(here + delayMs));
  }
  return true;
}
