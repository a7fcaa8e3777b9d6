import { AppError, notFoundError, requireValid, faultless } from '@invoicing/errors';
import { isEmailAddress } from '@invoicing/rules';
import type { Ports } from '../billing-ports';
import { assertMaySend } from '../organizations/may-send';
import type { Call } from './invoice-ports';
import type { IssuedInvoice } from './issued-invoice';

type SendPorts = Pick<Ports, 'organizations' | 'invoices' | 'drafts' | 'mail' | 'newId'>;

/** What became of a message; `emailError` is empty when it was sent. */
export interface Resent {
  readonly id: string;
  readonly to: string;
  readonly emailed: boolean;
  readonly emailError: string;
}

/**
 * E-mails an issued document again, to the buyer as frozen on it or to another address. Throws `not_found`, `validation`, `draft` or
 * `billing_readonly`.
 */
export async function resendInvoice(
  ports: SendPorts,
  organizationId: string,
  id: string,
  address: string | undefined,
  call: Call,
): Promise<Resent> {
  const { buyer } = await issuedToSend(ports, organizationId, id);
  const to = address?.trim() ?? buyer.email;
  const fault = to === '' ? 'is required: the buyer has no e-mail address' : 'must be an e-mail address';
  requireValid(faultless(to, '/to', isEmailAddress(to) ? undefined : fault));
  const operation = { ...call, operationId: call.operationId ?? ports.newId() };
  return { id, to, ...(await ports.mail.resendInvoice(organizationId, id, to, operation)) };
}

/** Posts an issued document as a letter. Throws `not_found`, `draft` or `billing_readonly`. */
export async function postInvoice(
  ports: SendPorts,
  organizationId: string,
  id: string,
  call: Call,
): Promise<{ readonly id: string; readonly letterId: string; readonly status: string; readonly error: string }> {
  await issuedToSend(ports, organizationId, id);
  const operation = { ...call, operationId: call.operationId ?? ports.newId() };
  const { id: letterId, status, error } = await ports.mail.postInvoice(organizationId, id, operation);
  return { id, letterId, status, error };
}

async function issuedToSend(ports: SendPorts, organizationId: string, id: string): Promise<IssuedInvoice> {
  const [organization, issued] = await Promise.all([
    ports.organizations.find(organizationId),
    ports.invoices.find(organizationId, id),
  ]);
  if (!organization) throw notFoundError('the invoice');
  if (!issued) {
    if (await ports.drafts.find(organizationId, id)) throw new AppError('blocked', 'draft', 'issue the draft first');
    throw notFoundError('the invoice');
  }
  assertMaySend(organization, issued.checkoutId);
  return issued;
}
