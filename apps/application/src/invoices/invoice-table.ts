import type { InvoiceSummary } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { isUuid } from '@invoicing/rules';
import { linked, plain, type TableBlock } from '../pages/blocks';
import { dateIn, day, money } from '../pages/format';
import type { Workplace } from '../pages/visit';
import type { Peers } from '../peers-client';
import { stateCell } from './invoice-state';

/** Invoices as a table, with what is open. */
export function invoiceTable(place: Workplace, invoices: readonly InvoiceSummary[]): TableBlock {
  const { t, language, currency, timeZone, at } = place;
  const today = dateIn(timeZone);
  return {
    caption: t.invoices,
    columns: [
      { label: t.number },
      { label: t.customer },
      { label: t.date },
      { label: t.amount, isNumber: true },
      { label: t.open, isNumber: true },
      { label: t.state },
    ],
    rows: invoices.map((invoice) => [
      linked(invoice.number, at(`invoices/${invoice.id}`)),
      plain(invoice.customerName || t.none),
      plain(day(invoice.issueDate, language)),
      plain(money(invoice.totalInclCents, currency, language)),
      plain(invoice.openCents > 0 ? money(invoice.openCents, currency, language) : t.none),
      stateCell(invoice, today, t),
    ]),
    empty: t.noInvoices,
  };
}

/** The names that people know the customers of some documents by, in one call; nobody's who is erased or not there. */
export async function customerNames(
  peers: Peers,
  place: Workplace,
  documents: readonly { readonly customerId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const customerIds = [...new Set(documents.map(({ customerId }) => customerId))].filter(isUuid);
  if (customerIds.length === 0 || !place.may('customers.read')) return new Map();
  const { organizationId } = place;
  const { customers, mergedCustomers } = await peers.references.resolveReferences(
    { organizationId, customerIds, productIds: [] },
    place.call(),
  );
  const names = new Map(customers.map(({ id, details }) => [id, details?.companyName || details?.name || '']));
  for (const [id, into] of Object.entries(mergedCustomers)) names.set(id, names.get(into) ?? '');
  return names;
}
