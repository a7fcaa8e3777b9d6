import { startDueWorker, type DueWorker } from '@invoicing/mongo';
import { issueWaitingInvoices } from './issue-waiting-invoices';
import { runDueBatch } from './run-subscriptions';
import type { SubscriptionPorts } from './subscription-ports';

// Invoices are due by the day: what a poll finds late by seconds is on time, and it is found by the clock, so nothing drifts.
const POLL_MS = 10_000;

/** Invoices periods as they fall due, and what waited for the end of arrears. Runs in every replica. */
export const startSubscriptionScheduler = (ports: SubscriptionPorts, onError: (error: unknown) => void): DueWorker => {
  let caughtUp = true;
  return startDueWorker({
    pollMs: POLL_MS,
    onError,
    round: async () => {
      if (caughtUp) await issueWaitingInvoices(ports);
      const more = await runDueBatch(ports);
      caughtUp = !more;
      return more;
    },
  });
};
