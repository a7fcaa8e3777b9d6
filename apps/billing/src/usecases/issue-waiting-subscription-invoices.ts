import { isArrears } from './subscription-invoices';
import type { SubscriptionPorts } from './subscription-ports';

/** Issues what was left as a draft in arrears, for every organisation whose arrears have ended. Safe on several replicas at once. */
export async function issueWaitingInvoices(ports: SubscriptionPorts): Promise<void> {
  for (const organizationId of await ports.waiting.organizations()) {
    const organization = await ports.organizations.find(organizationId);
    if (organization?.billingStatus !== 'active') continue;
    for await (const waiting of ports.waiting.of(organizationId)) {
      try {
        await ports.periodInvoices.issue(waiting);
        await ports.waiting.remove(waiting._id);
      } catch (error) {
        // In arrears again: the rest waits on.
        if (isArrears(error)) break;
        ports.onRunError(error, waiting.subscriptionId);
      }
    }
  }
}
