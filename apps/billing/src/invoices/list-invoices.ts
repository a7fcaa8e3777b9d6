import { businessDate } from './business-date';
import { draftNumber } from '../numbering/number-format';
import type { DraftSummary, InvoiceSummary, Ports } from './invoice-ports';

export interface ListedInvoice {
  readonly id: string;
  readonly number: string;
  readonly status: 'draft' | 'sent' | 'paid';
  readonly totalInclCents: number;
  readonly issueDate: string;
  readonly customerId: string;
  readonly publicToken: string;
}

/**
 * Drafts and issued documents, newest first: the newest of each by their index, merged, and the payments of what is shown by id.
 */
export async function listInvoices(
  ports: Pick<Ports, 'drafts' | 'invoices' | 'payments' | 'organizations'>,
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
  const shown = newest.map(({ _id }) => _id).filter((id) => issuedIds.has(id));
  const paid = await ports.payments.paidAmong(organizationId, shown);
  const timezone = drafts.length > 0 ? (await ports.organizations.find(organizationId))?.details.timezone : undefined;
  return newest.map((each) => ({
    id: each._id,
    number: numberOf(each),
    status: paid.has(each._id) ? 'paid' : issuedIds.has(each._id) ? 'sent' : 'draft',
    totalInclCents: each.totals.inclCents,
    issueDate: each.issueDate ?? businessDate(each.createdAt, timezone ?? 'UTC'),
    customerId: each.customerId,
    publicToken: each.publicToken,
  }));
}

const numberOf = (each: DraftSummary | InvoiceSummary): string =>
  'number' in each ? each.number : draftNumber(each._id);

const newestFirst = (a: DraftSummary | InvoiceSummary, b: DraftSummary | InvoiceSummary): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? 1 : -1);
