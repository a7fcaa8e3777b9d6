import { factsOf, isPaid } from '../account/account';
import { openAmount } from '../account/open-amount';
import { businessDate } from './business-date';
import { draftNumber } from '../numbering/number-format';
import type { Ports } from '../billing-ports';
import type { DraftSummary, InvoiceSummary } from './invoice-ports';

export interface ListedInvoice {
  readonly id: string;
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  readonly status: 'draft' | 'sent' | 'paid';
  readonly totalInclCents: number;
  /** Still to be paid; 0 for drafts and credit notes. */
  readonly openCents: number;
  readonly issueDate: string;
  readonly customerId: string;
  readonly publicToken: string;
}

/**
 * Drafts and issued documents, newest first: the newest of each by their index, merged, and the entries of what is shown by another. The
 * credit notes of an invoice are newer than it, so they are among what was read.
 */
export async function listInvoices(
  ports: Pick<Ports, 'drafts' | 'invoices' | 'accounts' | 'organizations'>,
  organizationId: string,
  profileId: string | undefined,
  limit: number,
): Promise<ListedInvoice[]> {
  const [drafts, issued] = await Promise.all([
    ports.drafts.newest(organizationId, profileId, limit),
    ports.invoices.newest(organizationId, profileId, limit),
  ]);
  const issuedIds = new Set(issued.map(({ _id }) => _id));
  const left = drafts.filter(({ _id }) => issuedIds.has(_id)).map(({ _id }) => _id);
  if (left.length > 0) {
    // A process ended between the issue of a draft and its closing: close it now, and the list is exact.
    await ports.drafts.closeIssued(organizationId, left);
    return listInvoices(ports, organizationId, profileId, limit);
  }
  const newest = [...drafts, ...issued].sort(newestFirst).slice(0, limit);
  const account = await accountsOf(ports, organizationId, newest.filter(isIssued), issued);
  const timezone = drafts.length > 0 ? (await ports.organizations.find(organizationId))?.details.timezone : undefined;
  return newest.map((each) => ({
    id: each._id,
    number: isIssued(each) ? each.number : draftNumber(each._id),
    ...(isIssued(each) ? account(each) : { kind: 'invoice', status: 'draft', openCents: 0 }),
    totalInclCents: each.totals.inclCents,
    issueDate: each.issueDate ?? businessDate(each.createdAt, timezone ?? 'UTC'),
    customerId: each.customerId,
    publicToken: each.publicToken,
  }));
}

/** Where each account stands, by one read for all of them. */
async function accountsOf(
  { accounts }: Pick<Ports, 'accounts'>,
  organizationId: string,
  shown: readonly InvoiceSummary[],
  issued: readonly InvoiceSummary[],
): Promise<(invoice: InvoiceSummary) => Pick<ListedInvoice, 'kind' | 'status' | 'openCents'>> {
  const ids = shown.filter(({ kind }) => kind === 'invoice').map(({ _id }) => _id);
  const entries = await accounts.factsAmong(organizationId, ids);
  const credits = new Map<string, { noteId: string; amountCents: number }[]>();
  for (const { _id, credited, totals } of issued) {
    if (!credited) continue;
    const earlier = credits.get(credited.invoiceId) ?? [];
    credits.set(credited.invoiceId, [...earlier, { noteId: _id, amountCents: totals.inclCents }]);
  }
  return (invoice) => {
    const { _id: id, kind } = invoice;
    const now = openAmount(factsOf(invoice, credits.get(id) ?? [], entries.get(id) ?? []));
    return { kind, openCents: now.openCents, status: isPaid(now) ? 'paid' : 'sent' };
  };
}

const isIssued = (each: DraftSummary | InvoiceSummary): each is InvoiceSummary => 'number' in each;

const newestFirst = (a: DraftSummary | InvoiceSummary, b: DraftSummary | InvoiceSummary): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? 1 : -1);
