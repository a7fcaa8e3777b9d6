import { AppError, notFoundError, requireValid, validationError, type Warning } from '@invoicing/errors';
import type { Draft } from './draft';
import type { Party } from './invoice';
import { draftNumber } from '../numbering/number-format';
import { checkInvoice, type InvoiceInput } from './check-invoice';
import { assertMaySend } from '../organizations/may-send';
import { recorded } from './update-draft';
import { deliverDocument } from './deliver-document';
import { mailForeseen, type Created } from './email-document';
import { dryRunDocuments, dryRunDraft } from '../documents/dry-run-documents';
import { candidateNumber, issueDocument, prepareInvoice } from './issue-document';
import type { Ports } from '../billing-ports';
import { actorOfCall, type Call } from './invoice-ports';
import { judgeTreatments } from './treatment-warnings';

/**
 * Creates a draft, or issues at once; a dry run answers what that would answer. The id is the operation's: running it again meets the same
 * document and answers it.
 * Throws `validation`, `billing_readonly` (send only) or `conflict` (the id belongs to another organisation).
 */
export async function createInvoice(
  ports: Ports,
  organizationId: string,
  input: InvoiceInput & { readonly send: boolean; readonly buyer?: Party | undefined },
  call: Call,
): Promise<Created> {
  const id = call.operationId ?? ports.newId();
  const [repeated, organization] = await Promise.all([
    call.operationId && answerRepeat(ports, organizationId, id, call),
    ports.organizations.find(organizationId),
  ]);
  if (repeated) return repeated;
  if (!organization) throw notFoundError('the organisation');
  if (input.prepayment && !input.send) {
    throw validationError([{ path: '/prepayment', message: 'is only for an invoice that is sent at once' }]);
  }
  const { content, customer } = requireValid(await checkInvoice(ports, organization, input, call));
  const buyer = input.buyer ? { ...customer, party: input.buyer } : customer;
  const isAsked = !input.scheduled && content.checkoutId === null;
  const warnings = judgeTreatments(organization, buyer.party, content.lines, isAsked);
  const publicToken = ports.newToken();
  const createdAt = ports.now(organizationId);
  const origin = { id, publicToken, createdAt, testScenario: call.testScenario };
  const prepare = () =>
    prepareInvoice(ports, organization, content, buyer, origin, {
      email: true,
      prepayment: input.prepayment,
      scheduled: input.scheduled,
    });
  if (input.send) {
    assertMaySend(organization, content.checkoutId);
    const unnumbered = prepare();
    if (call.dryRun) {
      const number = await candidateNumber(ports, unnumbered, organization);
      return { ...mailForeseen(number, unnumbered), dryRun: dryRunDocuments(ports, unnumbered, number) };
    }
    const invoice = await issueDocument(ports, unnumbered, organization, actorOfCall(call));
    return deliverDocument(ports, invoice, call);
  }
  const draft: Draft = {
    ...content,
    _id: id,
    organizationId,
    publicToken,
    createdAt,
    state: 'draft',
    revision: 0,
    open: true,
  };
  if (call.dryRun) return { ...draftCreated(draft, warnings), dryRun: dryRunDraft(ports, content.totals, prepare) };
  const stored = await ports.drafts.insert(draft, recorded(draft, 'created', call));
  if (stored.open) return draftCreated(stored, warnings);
  const raced = await answerRepeat(ports, organizationId, id, call);
  if (!raced) throw new AppError('conflict', 'conflict', 'the draft was deleted');
  return raced;
}

/** What an earlier run of the same operation created. Mail is asked for again: it goes out once. */
async function answerRepeat(
  ports: Ports,
  organizationId: string,
  id: string,
  call: Call,
): Promise<Created | undefined> {
  const [draft, invoice] = await Promise.all([
    ports.drafts.findAny(organizationId, id),
    ports.invoices.find(organizationId, id),
  ]);
  if (invoice) return deliverDocument(ports, invoice, call);
  return draft?.open ? draftCreated(draft) : undefined;
}

const draftCreated = ({ _id, publicToken }: Draft, warnings: readonly Warning[] = []): Created => ({
  id: _id,
  number: draftNumber(_id),
  publicToken,
  emailed: false,
  emailError: 'draft',
  warnings,
});
