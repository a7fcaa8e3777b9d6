import { AppError, validationError } from '@invoicing/errors';
import type { Draft } from './draft';
import type { UnnumberedInvoice } from './issued-invoice';
import type { Organization } from '../organizations/organization';
import { assertMaySend } from '../organizations/may-send';
import { emailDocument, type Created } from './email-document';
import { issueDocument, prepareInvoice, type IssueWishes } from './issue-document';
import type { Ports } from '../billing-ports';
import { actorOfCall, type Call } from './invoice-ports';
import { openDraft } from './open-draft';
import { judgeTreatments } from './treatment-warnings';

// A draft that changes while it is issued is read again; nobody edits this often.
const MAX_ROUNDS = 10;

/**
 * Numbers, locks and (unless told not to) e-mails a draft, as its caller has seen it where they say the revision. Issuing it again answers
 * the issued document.
 */
export async function issueDraft(
  ports: Ports,
  organizationId: string,
  id: string,
  wishes: Pick<IssueWishes, 'email' | 'scheduled'> & { readonly revision?: number | undefined },
  call: Call,
): Promise<Created> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const issued = await ports.invoices.find(organizationId, id);
    if (issued) return emailDocument(ports, issued, call);
    const { organization, draft, unnumbered } = await prepareDraft(ports, organizationId, id, wishes, call);
    assertMaySend(organization, draft.checkoutId);
    await ports.drafts.assertSeen(draft, wishes.revision);
    // All checks are done and the content is fixed: from here on it can only be issued.
    if (!(await ports.drafts.startIssuing(organizationId, id, draft.revision))) continue;
    const invoice = await issueDocument(ports, unnumbered, organization, actorOfCall(call));
    await ports.drafts.closeIssued(organizationId, [id]);
    return emailDocument(ports, invoice, call);
  }
  throw new AppError('conflict', 'conflict', 'the draft is being changed');
}

/** A draft as it would be issued now, but for its number. */
export interface PreparedDraft {
  readonly organization: Organization;
  readonly draft: Draft;
  readonly unnumbered: UnnumberedInvoice;
}

/** Checks a draft and freezes what it would say. Throws `not_found`, `conflict` (issued) or `validation`. */
export async function prepareDraft(
  ports: Pick<Ports, 'organizations' | 'drafts' | 'invoices' | 'catalog' | 'documents' | 'now' | 'publicUrl'>,
  organizationId: string,
  id: string,
  wishes: Pick<IssueWishes, 'email' | 'scheduled'>,
  call: Call,
): Promise<PreparedDraft> {
  const [organization, draft] = await openDraft(ports, organizationId, id);
  const ids = { customerIds: [draft.customerId], productIds: [] };
  const customer = (await ports.catalog.resolve(organizationId, ids, call)).customers.get(draft.customerId);
  if (!customer) {
    throw validationError([{ path: '/customerId', message: 'is not a customer of this organisation' }]);
  }
  const { publicToken, createdAt } = draft;
  const origin = { id, publicToken, createdAt, testScenario: call.testScenario };
  judgeTreatments(organization, customer.party, draft.lines, !wishes.scheduled && draft.checkoutId === null);
  return { organization, draft, unnumbered: prepareInvoice(ports, organization, draft, customer, origin, wishes) };
}
