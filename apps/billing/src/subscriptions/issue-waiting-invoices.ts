import { backoffMs } from '@invoicing/concurrency';
import { PERIOD_RETRY } from './subscription';
import { isArrears } from './invoice-period';
import type { SubscriptionPorts } from './subscription-ports';

/** Issues what was left as a draft in arrears, for every organisation whose arrears have ended. Safe on several replicas at once. */
export async function issueWaitingInvoices(ports: SubscriptionPorts): Promise<void> {
  const now = ports.now();
  for (const organizationId of await ports.waiting.organizations(now)) {
    const organization = await ports.organizations.find(organizationId);
    if (organization?.billingStatus !== 'active') continue;
    for await (const waiting of ports.waiting.of(organizationId, ports.now(organizationId))) {
      try {
        await ports.periodInvoices.issue(waiting);
        await ports.waiting.remove(waiting);
      } catch (error) {
        // In arrears again: the rest waits on.
        if (isArrears(error)) break;
        ports.onRunError(error, waiting.subscriptionId);
        const attempts = waiting.attempts + 1;
        const dueAt = new Date(ports.now(organizationId).getTime() + backoffMs(PERIOD_RETRY, attempts));
        await ports.waiting.postpone(waiting, attempts, dueAt);
      }
    }
  }
}
