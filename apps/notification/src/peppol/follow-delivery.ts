import { backoffMs } from '@invoicing/concurrency';
import type { AccessPointAccount, AccessPointReport } from './access-point';
import { peppolFailure, type PeppolDelivery } from './peppol-delivery';
import type { PeppolPorts } from './peppol-ports';

/** The network retries for days; what it has not said by then it will not say. */
const WAIT_MS = 7 * 86_400_000;
const LONGEST_POLL_MS = 3_600_000;

/** The next step of a delivery that was handed over: what became of it. Throws what may pass. */
export async function followDelivery(ports: PeppolPorts, delivery: PeppolDelivery): Promise<void> {
  const { deliveries, accounts, openAccessPoint, log } = ports;
  const { organizationId, accountId = '', invoiceId, _id: deliveryId } = delivery;
  const account = await accounts.find(organizationId, accountId);
  if (!account) throw new Error(`the access point account ${accountId} is gone`);
  const accessPoint = openAccessPoint(account);
  await accessPoint.takeReports((report) => takeReport(ports, account, report));
  const current = await deliveries.find(delivery);
  if (current?.status !== 'submitted') return;
  const progress = current.submissionId
    ? await accessPoint.progress(current.submissionId)
    : ({ state: 'underway' } as const);
  if (progress.state === 'delivered') {
    await deliveries.delivered(current, progress.messageId);
    log.info({ deliveryId, invoiceId }, 'e-invoice delivered');
  } else if (progress.state === 'failed')
    await deliveries.failed(current, peppolFailure('undelivered', progress.reason));
  else await waitOn(ports, current, accessPoint.pollMs);
}

async function waitOn({ deliveries }: PeppolPorts, delivery: PeppolDelivery, pollMs: number): Promise<void> {
  const now = deliveries.now(delivery.organizationId).getTime();
  const since = (delivery.submittedAt ?? delivery.createdAt).getTime();
  if (now - since > WAIT_MS) return deliveries.failed(delivery, peppolFailure('not_acknowledged'));
  const waitMs = backoffMs({ firstMs: pollMs, longestMs: LONGEST_POLL_MS }, delivery.attempts + 1);
  await deliveries.postpone(delivery, new Date(now + waitMs));
}

/** What an access point tells of a delivery, by whichever account of the same key it was asked. */
async function takeReport(
  { deliveries, accounts, log }: PeppolPorts,
  account: AccessPointAccount,
  { deliveryId, submissionId, outcome, reason }: AccessPointReport,
): Promise<void> {
  const delivery = await deliveries.findById(deliveryId);
  if (delivery?.status !== 'submitted') return;
  const owner = await accounts.find(delivery.organizationId, delivery.accountId ?? '');
  // Nobody tells anything of what they were not handed.
  if (!owner || owner.apiKey !== account.apiKey || owner.baseUrl !== account.baseUrl) return;
  if (outcome === 'failed') {
    await deliveries.failed(delivery, peppolFailure('undelivered', reason));
    log.warn({ deliveryId, submissionId }, 'e-invoice not delivered');
  } else await deliveries.hinted(delivery, submissionId);
}
