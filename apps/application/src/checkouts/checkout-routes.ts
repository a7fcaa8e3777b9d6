import { CheckoutStatus, ListCheckoutsRequest } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { linked, plain, type Cell } from '../pages/blocks';
import { moment, money } from '../pages/format';
import type { Texts } from '../pages/texts';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 100;

/** Checkouts: links that get the organisation paid. */
export const checkoutRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('/checkouts', async (place, _request, response) => {
      const { t, at, organizationId, currency, language, timeZone } = place;
      const asked = ListCheckoutsRequest.fromPartial({ organizationId, limit: LISTED });
      const { checkouts } = await peers.checkouts.listCheckouts(asked, place.call());
      show(response, place, {
        title: t.checkouts,
        sections: [
          {
            table: {
              caption: t.checkouts,
              columns: [
                { label: t.title },
                { label: t.amount, isNumber: true },
                { label: t.createdAt },
                { label: t.state },
                { label: t.link },
              ],
              rows: checkouts.map((each) => [
                each.invoiceId ? linked(each.title, at(`invoices/${each.invoiceId}`)) : plain(each.title),
                plain(money(each.amountInclCents, currency, language)),
                plain(moment(each.createdAt, language, timeZone)),
                stateOf(t, each.status),
                each.status === CheckoutStatus.OPEN ? linked(t.link, each.url) : plain(''),
              ]),
              empty: t.noCheckouts,
            },
          },
        ],
      });
    });

function stateOf(t: Texts, status: CheckoutStatus): Cell {
  if (status === CheckoutStatus.PAID) return { text: t.statePaid, tone: 'good' };
  if (status === CheckoutStatus.OPEN) return { text: t.stateOpen, tone: 'warning' };
  return { text: t.stateExpired, tone: 'plain' };
}
