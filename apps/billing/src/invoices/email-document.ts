import { AppError, type Warning } from '@invoicing/errors';
import type { DryRunDocuments } from '../documents/dry-run-documents';
import type { IssuedInvoice } from './issued-invoice';
import type { Ports } from '../billing-ports';
import type { Call } from './invoice-ports';
import { treatmentWarnings } from './treatment-warnings';

/** What its creator is told of a document. */
export interface Created {
  readonly id: string;
  readonly number: string;
  readonly publicToken: string;
  readonly emailed: boolean;
  /** Empty when nothing went wrong. */
  readonly emailError: string;
  readonly warnings: readonly Warning[];
  /** Only of a dry run. */
  readonly dryRun?: DryRunDocuments;
}

/** What its creator is told when nothing goes wrong with the mail. */
export function mailForeseen(
  number: string,
  document: Pick<IssuedInvoice, '_id' | 'publicToken' | 'kind' | 'seller' | 'buyer' | 'lines' | 'delivery'>,
): Created {
  const { _id: id, publicToken, buyer, delivery } = document;
  const warnings = document.kind === 'invoice' ? treatmentWarnings(document) : [];
  const created = { id, number, publicToken, warnings };
  if (buyer.email === '') return { ...created, emailed: false, emailError: 'no_recipient' };
  // Without the wish its issuer asked for no e-mail.
  return { ...created, emailed: delivery.email, emailError: '' };
}

const MAIL_TIMEOUT_MS = 5_000;
// What is left for the way back to the caller.
const ANSWER_MS = 150;

/** Has the document e-mailed within the time that is left, 5 s at most; a failure is tried again in the background. */
export async function emailDocument(
  { mail, onError }: Pick<Ports, 'mail' | 'onError'>,
  invoice: IssuedInvoice,
  call: Call,
): Promise<Created> {
  const { _id: id, number, organizationId } = invoice;
  const created = mailForeseen(number, invoice);
  if (!created.emailed) return created;
  const deadline = Math.min(call.deadline - ANSWER_MS, Date.now() + MAIL_TIMEOUT_MS);
  try {
    return { ...created, ...(await mail.sendInvoice(organizationId, id, { ...call, deadline })) };
  } catch (error) {
    onError(error);
    const late = error instanceof AppError && error.kind === 'unfinished';
    return { ...created, emailed: false, emailError: late ? 'timeout' : 'smtp_unavailable' };
  }
}
