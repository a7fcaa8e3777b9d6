import {
  InvoiceKind,
  InvoiceStatus,
  ListedStatus,
  type InvoiceSummary,
  type ListInvoicesRequest,
  type ListInvoicesResponse,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { allValid, faultless, requireValid } from '@invoicing/errors';
import { listLimit } from '@invoicing/rpc';
import { textMessage } from '@invoicing/rules';
import { ACCOUNT_STATES } from '../account/account-proto';
import { dateFault } from './business-date';
import type { InvoiceQuery, ListedInvoice, ListedPage } from './list-invoices';

const STATUS = {
  draft: InvoiceStatus.DRAFT,
  sent: InvoiceStatus.SENT,
  paid: InvoiceStatus.PAID,
} as const;

const KIND = { invoice: InvoiceKind.INVOICE, credit_note: InvoiceKind.CREDIT_NOTE } as const;

const LISTED: Partial<Record<ListedStatus, InvoiceQuery['status']>> = {
  [ListedStatus.DRAFT]: 'draft',
  [ListedStatus.SENT]: 'sent',
  [ListedStatus.PAID]: 'paid',
  [ListedStatus.OPEN]: 'open',
  [ListedStatus.OVERDUE]: 'overdue',
  [ListedStatus.PARTLY_PAID]: 'partly_paid',
  [ListedStatus.OVERPAID]: 'overpaid',
  [ListedStatus.CREDITED]: 'credited',
};

const KINDS: Partial<Record<InvoiceKind, InvoiceQuery['kind']>> = {
  [InvoiceKind.INVOICE]: 'invoice',
  [InvoiceKind.CREDIT_NOTE]: 'credit_note',
};

const LIST = { usual: 50, most: 100 };
const MAX_SEARCH = 100;

/** What a caller wants listed. Throws `validation`. */
export function fromListRequest(request: Omit<ListInvoicesRequest, 'organizationId'>): InvoiceQuery {
  const { profileId, customerId, cursor, customerNames, status, kind, limit } = request;
  const { from, to, text } = requireValid(
    allValid({
      from: faultless(request.from, '/from', request.from && dateFault(request.from)),
      to: faultless(request.to, '/to', request.to && dateFault(request.to)),
      text: faultless(request.text?.trim(), '/text', textMessage(request.text ?? '', { max: MAX_SEARCH })),
    }),
  );
  return {
    ...{ profileId, customerId, cursor, customerNames },
    limit: listLimit(limit, LIST),
    status: status && LISTED[status],
    kind: kind && KINDS[kind],
    // A form that is left empty asks for nothing.
    text: text || undefined,
    period: from || to ? { from: from || undefined, to: to || undefined } : undefined,
  };
}

/** A page of them on the wire. */
export const toListResponse = ({ invoices, cursor }: ListedPage): ListInvoicesResponse => ({
  invoices: invoices.map(toSummary),
  cursor,
});

// Field by field: a rest in a parameter is copied slowly, and this is done fifty times a list.
export const toSummary = (listed: ListedInvoice): InvoiceSummary => ({
  id: listed.id,
  number: listed.number,
  status: STATUS[listed.status],
  kind: KIND[listed.kind],
  totalInclCents: listed.totalInclCents,
  openCents: listed.openCents,
  issueDate: listed.issueDate,
  dueDate: listed.dueDate,
  customerId: listed.customerId,
  customerName: listed.customerName,
  publicToken: listed.publicToken,
  state: listed.state && ACCOUNT_STATES[listed.state],
});
