import { randomUUID } from 'node:crypto';
import { InvoiceStatus, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { AppError, validationError } from '@invoicing/errors';
import type { ServerCallContext } from '@invoicing/rpc';
import type { InvoiceSource } from '../billing-client';
import { mailIdOf, type MailStore } from '../mail/mail-store';
import { connectAccessPoint, type ConnectPorts } from '../peppol/connect-access-point';
import type { PeppolSender } from '../peppol/peppol-sender';
import { recipientOf } from '../peppol/submit-delivery';
import { requireUuid } from '../request-rules';

/** What it needs. */
export interface CausePorts extends ConnectPorts {
  readonly mails: Pick<MailStore, 'find' | 'markBounced'>;
  readonly invoices: Pick<InvoiceSource, 'get'>;
  readonly peppol: Pick<PeppolSender, 'rehearse'>;
}

type CauseCall = Pick<ServerCallContext, 'operationId' | 'dryRun' | 'by'>;
type Cause = (ports: CausePorts, invoice: Invoice, call: CauseCall) => Promise<void>;

const CALL_MS = 10_000;
const BOUNCE = '5.1.1 no such user, says the sandbox';

/** What makes each event happen to an invoice. */
const causes: Readonly<Record<string, Cause>> = {
  'mail.failed': comeBack,
  'peppol.delivered': (ports, invoice, call) => sendByPeppol(ports, invoice, call, false),
  'peppol.failed': (ports, invoice, call) => sendByPeppol(ports, invoice, call, true),
};

/**
 * Lets happen to a message about an issued invoice of a test organisation what mail servers and the Peppol network do, so that the event of
 * it follows. Throws `not_found` (the organisation), `test_only` or `validation`.
 */
export async function causeTestEvent(
  ports: CausePorts,
  wanted: {
    readonly organizationId: string;
    readonly profileId?: string | undefined;
    readonly invoiceId: string;
    readonly type: string;
  },
  call: CauseCall,
): Promise<void> {
  const { organizationId, profileId, invoiceId, type } = wanted;
  requireUuid({ organizationId, invoiceId });
  if ((await ports.modeOf(organizationId)) !== 'test')
    throw new AppError('forbidden', 'test_only', 'the messages of a live organisation are real');
  const cause = Object.hasOwn(causes, type) ? causes[type] : undefined;
  if (!cause) throw validationError([{ path: '/type', message: `must be one of ${Object.keys(causes).join(', ')}` }]);
  const invoice = await ports.invoices.get({ organizationId, invoiceId }, CALL_MS).catch(absent);
  // That of another organisation or profile looks like none.
  if (!invoice || invoice.status === InvoiceStatus.DRAFT || (profileId ?? invoice.profileId) !== invoice.profileId)
    throw refusal('must be an issued invoice');
  await cause(ports, invoice, call);
}

/** The invoice's e-mail comes back; one that did before has told it. */
async function comeBack({ mails }: CausePorts, { organizationId, id }: Invoice, { dryRun }: CauseCall): Promise<void> {
  const mail = await mails.find({ organizationId, _id: mailIdOf(id) });
  if (mail?.error === 'bounced') return;
  if (mail?.status !== 'sent') throw refusal('was not e-mailed');
  if (!dryRun) await mails.markBounced(mail._id, BOUNCE);
}

async function sendByPeppol(
  ports: CausePorts,
  { organizationId, id: invoiceId, buyer, hasEInvoice }: Invoice,
  { operationId: id = randomUUID(), by, dryRun }: CauseCall,
  isToFail: boolean,
): Promise<void> {
  if (!hasEInvoice || !recipientOf(buyer))
    throw refusal(
      'is no e-invoice for the Peppol network: it needs addresses and registration numbers of both parties',
    );
  if (dryRun) return;
  const sandbox = { accessPoint: 'sandbox', apiKey: null, senderId: null, baseUrl: null };
  if (!(await ports.accounts.current(organizationId)))
    await connectAccessPoint(ports, { id, organizationId, ...sandbox });
  await ports.peppol.rehearse({ organizationId, invoiceId }, { id, by }, isToFail);
}

function absent(error: unknown): undefined {
  if (error instanceof AppError && error.kind === 'absent') return undefined;
  throw error;
}

const refusal = (message: string) => validationError([{ path: '/invoiceId', message }]);
