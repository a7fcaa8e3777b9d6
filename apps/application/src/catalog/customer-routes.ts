import { plain } from '../pages/blocks';
import { cursorOf, olderAction, searchForm, searchOf } from '../pages/list-request';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 50;

/** Customers. */
export const customerRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('/customers', async (place, request, response) => {
      const { t, at, organizationId } = place;
      const text = searchOf(request);
      const asked = { organizationId, limit: LISTED, text: text || undefined, cursor: cursorOf(request) };
      const { customers, cursor } = await peers.customers.listCustomers(asked, place.call());
      show(response, place, {
        title: t.customers,
        sections: [
          {
            forms: [searchForm(at('customers'), text, t)],
            table: {
              caption: t.customers,
              columns: [{ label: t.name }, { label: t.company }, { label: t.email }],
              rows: customers.map(({ details }) => [
                plain(details?.name ?? t.none),
                plain(details?.companyName ?? t.none),
                plain(details?.email ?? t.none),
              ]),
              empty: t.noCustomers,
            },
            actions: olderAction(at('customers'), text, cursor, t),
          },
        ],
      });
    });
