import { AppError, notFoundError, validationError } from '@invoicing/errors';
import type { Draft } from '../domain/draft';
import { assertMaySend, checkInvoice, numberFormatOf, type InvoiceInput } from './check-invoice';
import { emailDocument, type Created } from './email-document';
import { issueDocument, prepareInvoice } from './issue-document';
import type { Call, Ports } from './ports';

// A draft that changes while it is issued is read again; nobody edits this often.
const MAX_ROUNDS = 10;

/** Replaces what is given. Throws `not_found`, `conflict` (issued, or being issued) or `validation`. */
export async function updateDraft(
  ports: Ports,
  organizationId: string,
  id: string,
  changes: Partial<InvoiceInput>,
  call: Call,
): Promise<Draft> {
  const [organization, draft] = await openDraft(ports, organizationId, id);
  const lines = draft.lines.map((line) => ({ ...line, productId: line.productId ?? undefined }));
  const input: InvoiceInput = {
    customerId: changes.customerId ?? draft.customerId,
    lines: changes.lines ?? lines,
    issueDate: changes.issueDate ?? draft.issueDate ?? undefined,
    dueDate: changes.dueDate ?? draft.dueDate ?? undefined,
    profileId: changes.profileId ?? draft.profileId,
    post: draft.post,
    checkoutId: draft.checkoutId ?? undefined,
    requireEInvoice: draft.requireEInvoice,
    language: draft.language ?? undefined,
  };
  const { content } = await checkInvoice(ports, organization, input, call);
  const replaced = await ports.drafts.replace(organizationId, id, content);
  if (!replaced) throw issuedAlready();
  return replaced;
}

/** Throws `not_found` or `conflict` (issued, or being issued). */
export async function deleteDraft(ports: Ports, organizationId: string, id: string): Promise<void> {
  await openDraft(ports, organizationId, id);
  if (!(await ports.drafts.remove(organizationId, id))) throw issuedAlready();
}

/** Numbers, locks and (unless told not to) e-mails a draft. Issuing it again answers the issued document. */
export async function issueDraft(
  ports: Ports,
  organizationId: string,
  id: string,
  wishes: { readonly email: boolean },
  call: Call,
): Promise<Created> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const issued = await ports.invoices.find(organizationId, id);
    if (issued) return emailDocument(ports, issued, call);
    const [organization, draft] = await openDraft(ports, organizationId, id);
    assertMaySend(organization, draft.checkoutId);
    const ids = { customerIds: [draft.customerId], productIds: [] };
    const customer = (await ports.catalog.resolve(organizationId, ids, call)).customers.get(draft.customerId);
    if (!customer) {
      throw validationError([{ path: '/customerId', message: 'is not a customer of this organisation' }]);
    }
    const origin = { id, publicToken: draft.publicToken, createdAt: draft.createdAt };
    const unnumbered = prepareInvoice(ports, organization, draft, customer, origin, wishes);
    // All checks are done and the content is fixed: from here on it can only be issued.
    if (!(await ports.drafts.startIssuing(organizationId, id, draft.revision))) continue;
    const invoice = await issueDocument(ports, unnumbered, numberFormatOf(organization, draft.profileId));
    await ports.drafts.closeIssued([id]);
    return emailDocument(ports, invoice, call);
  }
  throw new AppError('conflict', 'conflict', 'the draft is being changed');
}

async function openDraft(ports: Ports, organizationId: string, id: string) {
  const [organization, draft] = await Promise.all([
    ports.organizations.find(organizationId),
    ports.drafts.find(organizationId, id),
  ]);
  if (organization && draft) return [organization, draft] as const;
  if (await ports.invoices.find(organizationId, id)) throw issuedAlready();
  throw notFoundError('the draft');
}

const issuedAlready = (): AppError =>
  new AppError('conflict', 'conflict', 'the invoice is issued: it never changes; credit it instead');
