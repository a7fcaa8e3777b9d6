import { startDueWorker, type DueWorker } from '@invoicing/mongo';
import type { AccountPorts } from '../billing-ports';
import { tellOverdue } from './tell-overdue';

// Invoices are due by the day: what is found late by seconds is on time.
const POLL_MS = 5_000;
// Longer than a look takes; what a killed process held, or could not do, is looked at again after it.
const LEASE_MS = 60_000;

/** Looks at invoices once their due date has passed. In every replica side by side. */
export const startOverdueWorker = (ports: AccountPorts, onError: (error: unknown) => void): DueWorker =>
  startDueWorker({ round: () => lookAtDueInvoice(ports), pollMs: POLL_MS, onError });

/** One invoice; answers whether there was one. */
export async function lookAtDueInvoice(
  ports: Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now' | 'onError'>,
): Promise<boolean> {
  const now = ports.now();
  const issued = await ports.invoices.claimDue(now, new Date(now.getTime() + LEASE_MS));
  if (!issued) return false;
  try {
    await ports.invoices.lookAgain(issued, await tellOverdue(ports, issued));
  } catch (error) {
    ports.onError(error);
  }
  return true;
}
