import { plain, type PageBlock } from '../pages/blocks';
import { cursorOf } from '../pages/list-request';
import { fill } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { filterForm, filterOf, listRequest, listUrl, type InvoiceFilter } from './invoice-filter';
import { customerNames, invoiceTable } from './invoice-table';

/** The list of invoices: narrowed by its address, page by page. */
export const listRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get(
      '/invoices',
      async (place, request, response) => {
        const filter = filterOf(request);
        const asked = listRequest(place.organizationId, filter, cursorOf(request));
        const [{ invoices, cursor }, names] = await Promise.all([
          peers.invoices.listInvoices(asked, place.call()),
          customerNames(peers, place, filter.customer ? [{ customerId: filter.customer }] : []),
        ]);
        const customer = filter.customer && (names.get(filter.customer) ?? place.t.none);
        show(response, place, listPage(place, { filter, invoices, cursor, customer }));
      },
      'invoices.read',
    );

interface Listed {
  readonly filter: InvoiceFilter;
  readonly invoices: Parameters<typeof invoiceTable>[1];
  readonly cursor: string | undefined;
  readonly customer: string | undefined;
}

function listPage(place: Workplace, { filter, invoices, cursor, customer }: Listed): PageBlock {
  const { t, at } = place;
  const isNarrowed = Object.keys(filter).length > 0;
  const table = invoiceTable(place, invoices);
  // Of one state a page may end before anything was found, and go on.
  const empty = cursor !== undefined ? t.nothingYetFound : isNarrowed ? t.nothingFits : t.noInvoices;
  return {
    title: t.invoices,
    ...(customer && { state: plain(fill(t.ofCustomer, { customer })) }),
    actions: place.may('invoices.write') ? [{ label: t.newInvoice, href: at('invoices/new'), isPrimary: true }] : [],
    sections: [
      {
        forms: [filterForm(place, filter)],
        isFormFirst: true,
        table: { ...table, empty },
        actions: cursor === undefined ? [] : [{ label: t.older, href: listUrl(place, filter, cursor) }],
      },
    ],
  };
}
