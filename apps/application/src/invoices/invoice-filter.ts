import type { Request } from 'express';
import { InvoiceKind, ListedStatus, ListInvoicesRequest } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { isUuid } from '@invoicing/rules';
import type { FieldBlock, FormBlock } from '../pages/blocks';
import type { Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';

const LISTED = 50;
type FilterName = 'q' | 'status' | 'kind' | 'from' | 'to' | 'customer';

/** What a list of invoices is narrowed to, as it stands in its address. */
export type InvoiceFilter = Readonly<Partial<Record<FilterName, string>>>;

const STATUSES: Readonly<Record<string, readonly [ListedStatus, keyof Texts]>> = {
  draft: [ListedStatus.DRAFT, 'stateDraft'],
  open: [ListedStatus.OPEN, 'open'],
  overdue: [ListedStatus.OVERDUE, 'stateOverdue'],
  partly: [ListedStatus.PARTLY_PAID, 'statePartly'],
  paid: [ListedStatus.PAID, 'statePaid'],
  overpaid: [ListedStatus.OVERPAID, 'stateOverpaid'],
  credited: [ListedStatus.CREDITED, 'stateCredited'],
};

const KINDS: Readonly<Record<string, readonly [InvoiceKind, keyof Texts]>> = {
  invoice: [InvoiceKind.INVOICE, 'invoice'],
  credit: [InvoiceKind.CREDIT_NOTE, 'stateCredit'],
};

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(text));

/** What of an address makes sense; the rest of it is as if it were not there. */
export function filterOf({ query }: Pick<Request, 'query'>): InvoiceFilter {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name].trim().slice(0, 100) : '');
  const kept = (name: FilterName, fits: (value: string) => boolean): InvoiceFilter =>
    text(name) !== '' && fits(text(name)) ? { [name]: text(name) } : {};
  return {
    ...kept('q', () => true),
    ...kept('status', (value) => Object.hasOwn(STATUSES, value)),
    ...kept('kind', (value) => Object.hasOwn(KINDS, value)),
    ...kept('from', isDay),
    ...kept('to', isDay),
    ...kept('customer', isUuid),
  };
}

/** The same as billing takes it. */
export const listRequest = (organizationId: string, filter: InvoiceFilter, cursor: string | undefined) =>
  ListInvoicesRequest.fromPartial({
    organizationId,
    limit: LISTED,
    cursor,
    status: STATUSES[filter.status ?? '']?.[0],
    kind: KINDS[filter.kind ?? '']?.[0],
    customerId: filter.customer,
    from: filter.from,
    to: filter.to,
    text: filter.q,
    customerNames: true,
  });

/** An address of the list, narrowed. */
export const listUrl = ({ at }: Pick<Workplace, 'at'>, filter: InvoiceFilter, cursor?: string): string => {
  const query = new URLSearchParams({ ...filter, ...(cursor !== undefined && { cursor }) }).toString();
  return query === '' ? at('invoices') : `${at('invoices')}?${query}`;
};

/** The form that narrows it: a search, which changes nothing. */
export function filterForm(place: Workplace, filter: InvoiceFilter): FormBlock {
  const { t, at } = place;
  const options = (table: Readonly<Record<string, readonly [unknown, keyof Texts]>>) => [
    { value: '', label: t.all },
    ...Object.entries(table).map(([value, [, label]]) => ({ value, label: t[label] })),
  ];
  const fields: readonly FieldBlock[] = [
    { name: 'q', label: t.searchNumberOrName, type: 'search', value: filter.q ?? '', maxLength: 100 },
    { name: 'status', label: t.state, value: filter.status ?? '', options: options(STATUSES) },
    { name: 'kind', label: t.kind, value: filter.kind ?? '', options: options(KINDS) },
    { name: 'from', label: t.dateFrom, type: 'date', value: filter.from ?? '' },
    { name: 'to', label: t.dateTo, type: 'date', value: filter.to ?? '' },
  ];
  return {
    action: at('invoices'),
    method: 'get',
    submit: t.filter,
    tone: '',
    isRow: true,
    hidden: filter.customer ? { customer: filter.customer } : {},
    // Nobody has to fill in a filter: it is not said of each of its fields.
    fields: fields.map((field) => ({ ...field, isQuiet: true })),
    ...(Object.keys(filter).length > 0 && { cancel: at('invoices'), cancelLabel: t.showAll }),
  };
}
