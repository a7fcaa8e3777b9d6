import { startDueWorker, type DueWorker } from '@invoicing/mongo';
import type { BankPorts } from './bank-ports';
import { LINE_LEASE_MS, settleLine } from './book-line';

const POLL_MS = 5_000;

/** Goes on with lines whose writer ended before it was done. In every replica side by side. */
export const startBankWorker = (ports: BankPorts, onError: (error: unknown) => void): DueWorker =>
  startDueWorker({ round: () => followDueLine(ports, onError), pollMs: POLL_MS, onError });

/** One line; answers whether there was one. */
export async function followDueLine(ports: BankPorts, onError: (error: unknown) => void): Promise<boolean> {
  const now = ports.now();
  const line = await ports.bankLines.claimDue(now, new Date(now.getTime() + LINE_LEASE_MS));
  if (!line) return false;
  // What fails now is due again when the lease is over.
  await settleLine(ports, line).catch(onError);
  return true;
}
