import { AppError, validationError } from '@invoicing/errors';
import type { Ports } from '../billing-ports';
import { creditInvoice, previewCredit } from '../invoices/credit-invoice';
import type { Call } from '../invoices/invoice-ports';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { getOrganization } from '../organizations/manage-organizations';
import { remindNow } from '../reminders/remind-now';
import type { ReminderPorts } from '../reminders/reminder-ports';

/** What it needs. */
export type SandboxPorts = Ports & ReminderPorts;

type Cause = (ports: SandboxPorts, invoice: IssuedInvoice, call: Call) => Promise<unknown>;

const ALL_OF_IT = { lines: [], reason: 'Credited in the sandbox' };

/** What makes each event happen to an invoice. */
const causes: Readonly<Record<string, Cause>> = {
  'invoice.credited': (ports, { organizationId, _id }, call) =>
    call.dryRun
      ? previewCredit(ports, organizationId, _id, ALL_OF_IT)
      : creditInvoice(ports, organizationId, _id, ALL_OF_IT, call),
  'invoice.reminded': remindNow,
};

/**
 * Does to an issued invoice of a test organisation what is otherwise done by people and by time, so that the event of it follows. Throws
 * `not_found` (the organisation), `test_only` or `validation`.
 */
export async function causeEvent(
  ports: SandboxPorts,
  wanted: {
    readonly organizationId: string;
    readonly profileId?: string | undefined;
    readonly invoiceId: string;
    readonly type: string;
  },
  call: Call,
): Promise<void> {
  const { organizationId, profileId, invoiceId, type } = wanted;
  const { mode } = await getOrganization(ports, organizationId);
  if (mode !== 'test') throw new AppError('forbidden', 'test_only', 'the invoices of a live organisation are real');
  const cause = Object.hasOwn(causes, type) ? causes[type] : undefined;
  if (!cause) throw validationError([{ path: '/type', message: `must be one of ${Object.keys(causes).join(', ')}` }]);
  const invoice = await ports.invoices.find(organizationId, invoiceId);
  // That of another organisation or profile looks like none.
  if (!invoice || (profileId !== undefined && invoice.profileId !== profileId))
    throw validationError([{ path: '/invoiceId', message: 'must be an issued invoice' }]);
  try {
    await cause(ports, invoice, call);
  } catch (error) {
    // Whatever does not fit, the invoice is all that was given.
    if (!(error instanceof AppError && error.details)) throw error;
    throw validationError(error.details.map(({ message }) => ({ path: '/invoiceId', message })));
  }
}
