import { requireValid, type Warning } from '@invoicing/errors';
import type { Draft } from './draft';
import { checkInvoice, type InvoiceInput } from './check-invoice';
import type { Ports } from '../billing-ports';
import type { Call } from './invoice-ports';
import { issuedAlready, openDraft } from './open-draft';
import { judgeTreatments } from './treatment-warnings';

type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Replaces what is given. Throws `not_found`, `conflict` (issued, or being issued) or `validation`. */
export async function updateDraft(
  ports: Ports,
  organizationId: string,
  id: string,
  changes: Changes<InvoiceInput>,
  call: Call,
): Promise<{ draft: Draft; warnings: Warning[] }> {
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
    pricesIncludeVat: changes.pricesIncludeVat ?? draft.pricesIncludeVat,
    reference: changes.reference ?? draft.reference,
    note: changes.note ?? draft.note,
    ...supplyOf(changes, draft),
  };
  const { content, customer } = requireValid(await checkInvoice(ports, organization, input, call));
  const warnings = judgeTreatments(organization, customer.party, content.lines, content.checkoutId === null);
  const replaced = await ports.drafts.replace(organizationId, id, content);
  if (!replaced) throw issuedAlready();
  return { draft: replaced, warnings };
}

/** A day of supply stands instead of a period, and a period instead of a day. */
function supplyOf(
  { supplyDate, period }: Changes<InvoiceInput>,
  draft: Draft,
): Pick<InvoiceInput, 'supplyDate' | 'period'> {
  if (supplyDate === undefined && period === undefined) return { supplyDate: draft.supplyDate, period: draft.period };
  return { supplyDate, period };
}

/** Throws `not_found` or `conflict` (issued, or being issued). */
export async function deleteDraft(ports: Ports, organizationId: string, id: string): Promise<void> {
  await openDraft(ports, organizationId, id);
  if (!(await ports.drafts.remove(organizationId, id))) throw issuedAlready();
}
