import { factsOf, isPaid } from '../account/account';
import { openAmount, type AccountState, type OpenAmount } from '../account/open-amount';
import { draftNumber } from '../numbering/number-format';
import type { Ports } from '../billing-ports';
import { addDays, businessDate, PAYMENT_DAYS } from './business-date';
import type { Call, DraftSummary, InvoiceSummary, ListNarrowed } from './invoice-ports';
import { listCursor, listOrder, positionOf, readListCursor, type ListPosition } from './list-position';

export interface ListedInvoice {
  readonly id: string;
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  readonly status: 'draft' | 'sent' | 'paid';
  readonly totalInclCents: number;
  /** Still to be paid; 0 for drafts and credit notes. */
  readonly openCents: number;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly customerId: string;
  /** As frozen on the document; of a draft only where it was asked for. */
  readonly customerName: string;
  readonly publicToken: string;
  /** Of its account; absent for drafts and credit notes. */
  readonly state?: AccountState | undefined;
}

export type ListedStatus = 'draft' | 'sent' | 'paid' | 'open' | 'overdue' | 'partly_paid' | 'overpaid' | 'credited';

/** Which documents, and how many. */
export interface InvoiceQuery extends Pick<ListNarrowed, 'profileId' | 'customerId' | 'kind'> {
  /** Days as YYYY-MM-DD, both included. */
  readonly period?: { readonly from?: string | undefined; readonly to?: string | undefined } | undefined;
  readonly status?: ListedStatus | undefined;
  /** Beginning of a number, or of words of a customer's name. */
  readonly text?: string | undefined;
  /** Also of drafts, by one call to the catalog. */
  readonly customerNames?: boolean | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ListedPage {
  readonly invoices: ListedInvoice[];
  /** Asks for the next page; absent from the last. */
  readonly cursor?: string | undefined;
}

type ListPorts = Pick<Ports, 'drafts' | 'invoices' | 'accounts' | 'organizations' | 'catalog' | 'now'>;
type Document = DraftSummary | InvoiceSummary;

// Of one status: how many are read at once, and in one call; the caller goes on from there.
const BATCH = 100;
const MOST_LOOKED_AT = 1_000;
const FOUND_NUMBERS = 200;
const DRAFT_NUMBER = /^concept-([0-9a-f]{8})$/i;

/**
 * Drafts and issued documents, newest first; those of a period by their day. The newest of each by their index, merged, and the accounts
 * of what is shown by another. Throws `validation` at `/cursor`.
 */
export async function listInvoices(
  ports: ListPorts,
  organizationId: string,
  query: InvoiceQuery,
  call: Call,
): Promise<ListedPage> {
  const { status, limit, cursor } = query;
  const list = await narrow(ports, organizationId, query, call);
  const invoices: ListedInvoice[] = [];
  let after = cursor === undefined ? undefined : readListCursor(cursor, query.period !== undefined);
  const size = status === undefined || status === 'draft' ? limit : BATCH;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += size) {
    const read = await newestDocuments(ports, list, after, size + 1);
    const rows = await rowsOf(ports, list, read, size, call);
    for (const [index, row] of rows.entries()) {
      after = positionOf(read[index]!, list.period);
      if (isOfStatus(row, status, list.today)) invoices.push(row);
      if (invoices.length === limit)
        return index + 1 < read.length ? { invoices, cursor: listCursor(after) } : { invoices };
    }
    if (read.length <= size) return { invoices };
  }
  return { invoices, cursor: listCursor(after!) };
}

/** A list, as it is read. */
interface List extends ListNarrowed {
  readonly organizationId: string;
  readonly has: { readonly drafts: boolean; readonly issued: boolean };
  /** From the newest on, without a filter of its own: credit notes are among what is read. */
  readonly isWhole: boolean;
  /** Known only where what is overdue is asked for. */
  readonly today: string;
  readonly customerNames: boolean;
}

async function narrow(
  ports: ListPorts,
  organizationId: string,
  { text, status, ...query }: InvoiceQuery,
  call: Call,
): Promise<List> {
  const { profileId, customerId, kind, period } = query;
  const hasDays = period !== undefined || status === 'overdue';
  const timezone = hasDays ? await zoneOf(ports, organizationId) : 'UTC';
  return {
    ...{ organizationId, profileId, customerId, kind },
    period: period && { ...period, timezone },
    text: text === undefined ? undefined : await meantBy(ports, organizationId, text, call),
    has: {
      drafts: kind !== 'credit_note' && (status === undefined || status === 'draft'),
      issued: status !== 'draft',
    },
    isWhole: [customerId, kind, period, text, query.cursor, status].every((each) => each === undefined),
    today: status === 'overdue' ? businessDate(ports.now(organizationId), timezone) : '',
    customerNames: query.customerNames === true,
  };
}

const zoneOf = async ({ organizations }: Pick<ListPorts, 'organizations'>, id: string): Promise<string> =>
  (await organizations.find(id))?.details.timezone ?? 'UTC';

/** The documents and customers that a text is the beginning of. */
async function meantBy(
  { invoices, drafts, catalog }: ListPorts,
  organizationId: string,
  text: string,
  call: Call,
): Promise<NonNullable<ListNarrowed['text']>> {
  const draft = DRAFT_NUMBER.exec(text)?.[1]?.toLowerCase();
  const [numbered, drafted, customerIds] = await Promise.all([
    invoices.idsByNumber(organizationId, [...new Set([text, text.toUpperCase()])], FOUND_NUMBERS),
    draft === undefined ? [] : drafts.idsFrom(organizationId, draft, FOUND_NUMBERS),
    catalog.findCustomers(organizationId, text, call),
  ]);
  return { ids: [...numbered, ...drafted], customerIds };
}

async function newestDocuments(
  ports: ListPorts,
  list: List,
  after: ListPosition | undefined,
  limit: number,
): Promise<Document[]> {
  const { organizationId, has } = list;
  const [drafts, issued] = await Promise.all([
    has.drafts ? ports.drafts.page(organizationId, list, { after, limit }) : [],
    has.issued ? ports.invoices.page(organizationId, list, { after, limit }) : [],
  ]);
  const issuing = drafts.filter(({ state }) => state === 'issuing').map(({ _id }) => _id);
  const left = issuing.length > 0 ? await ports.invoices.issuedAmong(organizationId, issuing) : [];
  if (left.length > 0) {
    // A process ended between the issue of a draft and its closing: close it now, and the list is exact.
    await ports.drafts.closeIssued(organizationId, left);
    return newestDocuments(ports, list, after, limit);
  }
  return [...drafts, ...issued]
    .sort((a, b) => listOrder(positionOf(a, list.period), positionOf(b, list.period)))
    .slice(0, limit);
}

/** The first so many of what was read, as they are now. */
async function rowsOf(
  ports: ListPorts,
  list: List,
  read: readonly Document[],
  size: number,
  call: Call,
): Promise<ListedInvoice[]> {
  const shown = read.slice(0, size);
  const isUndated = shown.some(({ issueDate }) => issueDate === null);
  const [timezone, account, nameOf] = await Promise.all([
    isUndated ? zoneOf(ports, list.organizationId) : 'UTC',
    accountsOf(ports, list, shown.filter(isIssued), read.filter(isIssued)),
    draftNames(ports, list, shown, call),
  ]);
  return shown.map((each) =>
    isIssued(each) ? issuedRow(each, account(each)) : draftRow(each, timezone, nameOf(each.customerId)),
  );
}

// Field by field, as its message is: what is spread is copied slowly, and this is done fifty times a list.
const issuedRow = (issued: InvoiceSummary, now: OpenAmount): ListedInvoice => ({
  id: issued._id,
  kind: issued.kind,
  number: issued.number,
  status: isPaid(now) ? 'paid' : 'sent',
  totalInclCents: issued.totals.inclCents,
  openCents: now.openCents,
  issueDate: issued.issueDate,
  dueDate: issued.dueDate,
  customerId: issued.customerId,
  customerName: issued.buyer.companyName || issued.buyer.name,
  publicToken: issued.publicToken,
  state: issued.kind === 'invoice' ? now.state : undefined,
});

function draftRow(draft: DraftSummary, timezone: string, customerName: string): ListedInvoice {
  const issueDate = draft.issueDate ?? businessDate(draft.createdAt, timezone);
  return {
    id: draft._id,
    kind: 'invoice',
    number: draftNumber(draft._id),
    status: 'draft',
    totalInclCents: draft.totals.inclCents,
    openCents: 0,
    issueDate,
    dueDate: draft.dueDate ?? addDays(issueDate, PAYMENT_DAYS),
    customerId: draft.customerId,
    customerName,
    publicToken: draft.publicToken,
  };
}

async function draftNames(
  { catalog }: ListPorts,
  { organizationId, customerNames }: List,
  shown: readonly Document[],
  call: Call,
): Promise<(customerId: string) => string> {
  const customerIds = [...new Set(shown.filter((each) => !isIssued(each)).map(({ customerId }) => customerId))];
  if (!customerNames || customerIds.length === 0) return () => '';
  const { customers } = await catalog.resolve(organizationId, { customerIds, productIds: [] }, call);
  return (customerId) => {
    const party = customers.get(customerId)?.party;
    return party?.companyName || party?.name || '';
  };
}

/** Where each account stands, by one read of the entries of all of them, and one of their credit notes unless those were read. */
async function accountsOf(
  { accounts, invoices }: ListPorts,
  { organizationId, isWhole }: List,
  shown: readonly InvoiceSummary[],
  read: readonly InvoiceSummary[],
): Promise<(invoice: InvoiceSummary) => OpenAmount> {
  const ids = shown.filter(({ kind }) => kind === 'invoice').map(({ _id }) => _id);
  const [entries, notes] = await Promise.all([
    accounts.factsAmong(organizationId, ids),
    // The credit notes of an invoice are newer than it.
    isWhole || ids.length === 0 ? creditsAmong(read) : invoices.creditsOf(organizationId, ids),
  ]);
  const credits = new Map<string, { noteId: string; amountCents: number }[]>();
  for (const note of notes) credits.set(note.invoiceId, [...(credits.get(note.invoiceId) ?? []), note]);
  return (invoice) => openAmount(factsOf(invoice, credits.get(invoice._id) ?? [], entries.get(invoice._id) ?? []));
}

const creditsAmong = (read: readonly InvoiceSummary[]) =>
  read.flatMap(({ _id, credited, totals }) =>
    credited ? [{ noteId: _id, invoiceId: credited.invoiceId, amountCents: totals.inclCents }] : [],
  );

function isOfStatus(row: ListedInvoice, status: ListedStatus | undefined, today: string): boolean {
  if (status === undefined) return true;
  if (status === 'draft' || status === 'sent' || status === 'paid') return row.status === status;
  if (status === 'open') return row.openCents > 0;
  if (status === 'overdue') return row.openCents > 0 && row.dueDate < today;
  return row.state === status;
}

const isIssued = (each: Document): each is InvoiceSummary => 'number' in each;
