import { endpointOf, participantOf } from '@invoicing/rules';
import type { Invoice, Party } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { AccessPointAccount } from './access-point';
import { lookupRecipient } from './lookup-recipient';
import { peppolFailure, type PeppolDelivery, type PeppolFailure } from './peppol-delivery';
import type { PeppolPorts } from './peppol-ports';

const CALL_MS = 10_000;

/**
 * The first step of a delivery: its recipient is looked up and its document handed over. Answers why it ends here; undefined once it is
 * handed over. Throws what may pass, and SubmissionRejected.
 */
export async function submitDelivery(
  { deliveries, accounts, recipients, invoices, openAccessPoint, log }: PeppolPorts,
  delivery: PeppolDelivery,
): Promise<PeppolFailure | undefined> {
  const { _id: id, organizationId, invoiceId, createdAt, isToFail } = delivery;
  const invoice = await invoices.get(delivery, CALL_MS);
  const account = await accounts.current(organizationId);
  // What is only a test must never reach a company, and the other way round.
  if (!account || !isOfItsMode(account, invoice)) return peppolFailure('not_connected');
  const recipient = recipientOf(invoice.buyer);
  if (!recipient || !invoice.hasEInvoice) return peppolFailure('no_e_invoice');
  const { now } = deliveries;
  const { receives, lookedUpAt } = await lookupRecipient({ recipients, openAccessPoint, now }, account, recipient);
  await deliveries.addressed(delivery, { recipient, lookedUpAt });
  if (!receives) return peppolFailure('recipient_not_found');
  const { content: ubl } = await invoices.ubl(delivery, CALL_MS);
  const accessPoint = openAccessPoint(account);
  const submissionId = await accessPoint.submit({ id, recipient, ubl, createdAt, isToFail });
  const nextAt = new Date(now(organizationId).getTime() + accessPoint.pollMs);
  await deliveries.submitted(delivery, account.id, submissionId, nextAt);
  log.info({ deliveryId: id, invoiceId, submissionId }, 'e-invoice handed to the access point');
  return undefined;
}

const isOfItsMode = ({ mode }: AccessPointAccount, { test }: Invoice): boolean => (mode === 'test') === test;

/** Where the network finds a party; undefined where it cannot. */
export function recipientOf(buyer: Party | undefined): string | undefined {
  const { countryCode = '', kvkNumber = '', btwId = '' } = buyer ?? {};
  const address = endpointOf({ countryCode, kvkNumber, btwId });
  return address && participantOf(address);
}
