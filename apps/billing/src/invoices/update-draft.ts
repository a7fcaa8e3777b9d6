import canonicalize from 'canonicalize';
import { AppError, requireValid, type Warning } from '@invoicing/errors';
import type { Draft } from './draft';
import { checkInvoice, type InvoiceInput } from './check-invoice';
import type { Ports } from '../billing-ports';
import { actorOfCall, type Call, type RecordedAs } from './invoice-ports';
import { issuedAlready, openDraft } from './open-draft';
import { judgeTreatments } from './treatment-warnings';
import { draftNumber } from '../numbering/number-format';

/** Fields of a draft that change; a mask names those, of which one that is not given is cleared. */
export const DRAFT_FIELDS = [
  'customerId',
  'lines',
  'issueDate',
  'dueDate',
  'profileId',
  'language',
  'pricesIncludeVat',
  'reference',
  'note',
  'supplyDate',
  'period',
  'post',
  'requireEInvoice',
] as const satisfies readonly (keyof InvoiceInput)[];

export type DraftChanges = { readonly [K in (typeof DRAFT_FIELDS)[number]]?: InvoiceInput[K] | undefined };

// Each lost round means that somebody else changed the draft meanwhile.
const MAX_ROUNDS = 10;

/**
 * Changes what is there, and clears what is there without a value. Throws `not_found`, `conflict` (issued, or being issued),
 * `revision_conflict` or `validation`.
 */
export async function updateDraft(
  ports: Ports,
  organizationId: string,
  id: string,
  { changes, revision }: { readonly changes: DraftChanges; readonly revision?: number | undefined },
  call: Call,
): Promise<{ draft: Draft; warnings: Warning[] }> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [organization, draft] = await openDraft(ports, organizationId, id);
    await ports.drafts.assertSeen(draft, revision);
    if (draft.state !== 'draft') throw issuedAlready();
    const input = { ...inputOf(draft), ...insteadOf(changes), ...changes };
    const given = { ...input, customerId: input.customerId ?? '', lines: input.lines ?? [] };
    const { content, customer } = requireValid(await checkInvoice(ports, organization, given, call));
    const warnings = judgeTreatments(organization, customer.party, content.lines, content.checkoutId === null);
    const fields = (Object.keys(changes) as (keyof DraftChanges)[]).filter((name) =>
      differs(draft[name], content[name]),
    );
    const replaced = await ports.drafts.replace(draft, content, recorded(draft, 'updated', call, fields));
    if (replaced) return { draft: replaced, warnings };
  }
  throw new AppError('conflict', 'conflict', 'the draft is being changed');
}

/** What is not there, and what is there without a value, are the same. */
const differs = (before: unknown, after: unknown): boolean =>
  canonicalize(before ?? null) !== canonicalize(after ?? null);

/** A day of supply stands instead of a period, and a period instead of a day. */
const insteadOf = ({ supplyDate, period }: DraftChanges): DraftChanges => ({
  ...(period && { supplyDate: undefined }),
  ...(supplyDate && { period: undefined }),
});

/** What would make the draft again. */
function inputOf(draft: Draft): InvoiceInput {
  const { issueDate, dueDate, language, checkoutId, ...rest } = draft;
  const lines = draft.lines.map((line) => ({ ...line, productId: line.productId ?? undefined }));
  return {
    ...rest,
    lines,
    issueDate: issueDate ?? undefined,
    dueDate: dueDate ?? undefined,
    language: language ?? undefined,
    checkoutId: checkoutId ?? undefined,
  };
}

/** Discards it. Throws `not_found`, `conflict` (issued, or being issued) or `revision_conflict`. */
export async function deleteDraft(
  ports: Ports,
  organizationId: string,
  id: string,
  revision: number | undefined,
  call: Call,
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [, draft] = await openDraft(ports, organizationId, id);
    await ports.drafts.assertSeen(draft, revision);
    if (draft.state !== 'draft') throw issuedAlready();
    if (await ports.drafts.remove(draft, recorded(draft, 'discarded', call))) return;
  }
  throw new AppError('conflict', 'conflict', 'the draft is being changed');
}

/** What the history tells of a change of a draft. */
export const recorded = (
  { _id }: Pick<Draft, '_id'>,
  action: 'created' | 'updated' | 'discarded',
  call: Call,
  fields: readonly string[] = [],
): RecordedAs => ({
  by: actorOfCall(call),
  action: `draft.${action}`,
  subject: { kind: 'draft', id: _id, label: draftNumber(_id) },
  fields,
});
