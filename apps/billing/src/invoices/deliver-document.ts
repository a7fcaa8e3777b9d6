import type { Warning } from '@invoicing/errors';
import { isPeppolRequired } from '@invoicing/rules';
import type { Ports } from '../billing-ports';
import { emailDocument, type Created } from './email-document';
import type { Call } from './invoice-ports';
import { frozenOf } from './issue-document';
import type { IssuedInvoice } from './issued-invoice';

type DeliveryPorts = Pick<Ports, 'mail' | 'peppol' | 'documents' | 'onError'>;

/** Has the document e-mailed, and sent over Peppol where the law asks for it; both go on in the background when there is no time left. */
export async function deliverDocument(ports: DeliveryPorts, invoice: IssuedInvoice, call: Call): Promise<Created> {
  const [created, warnings] = await Promise.all([
    emailDocument(ports, invoice, call),
    peppolWarnings(ports, invoice, call),
  ]);
  return warnings.length === 0 ? created : { ...created, warnings: [...created.warnings, ...warnings] };
}

const PEPPOL_TIMEOUT_MS = 4_500;
// What is left for the way back to the caller.
const ANSWER_MS = 150;

async function peppolWarnings(
  { peppol, documents, onError }: DeliveryPorts,
  invoice: IssuedInvoice,
  call: Call,
): Promise<Warning[]> {
  const { _id: id, organizationId, seller, buyer } = invoice;
  if (!isPeppolRequired(seller, buyer)) return [];
  const deadline = Math.min(call.deadline - ANSWER_MS, Date.now() + PEPPOL_TIMEOUT_MS);
  try {
    const { status, error, reason } = await peppol.begin(organizationId, id, { ...call, deadline });
    if (error === '') return [];
    const faults = error === 'no_e_invoice' ? documents.eInvoiceViolations(frozenOf(invoice, null)) : [];
    const why = faults.length > 0 ? faults.map(({ path, message }) => `${path} ${message}`).join('; ') : reason;
    return [warning(status, why)];
  } catch (failure) {
    // The event of its issue begins it; what becomes of it is in the list of its deliveries.
    onError(failure);
    return [];
  }
}

/** Said of what ended, and of what is tried again. */
const warning = (status: string, why: string): Warning =>
  status === 'failed'
    ? { code: 'peppol_not_sent', message: `Belgian law asks for delivery over Peppol: ${why}`, field: '/customerId' }
    : { code: 'peppol_delayed', message: `not yet sent over Peppol, and tried again: ${why}`, field: '/customerId' };
