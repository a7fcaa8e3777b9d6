import { plain } from '../pages/blocks';
import { money, percent } from '../pages/format';
import { cursorOf, olderAction, searchForm, searchOf } from '../pages/list-request';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 50;

/** Products. */
export const productRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('/products', async (place, request, response) => {
      const { t, at, organizationId, currency, language } = place;
      const text = searchOf(request);
      const asked = { organizationId, limit: LISTED, text: text || undefined, cursor: cursorOf(request) };
      const { products, cursor } = await peers.products.listProducts(asked, place.call());
      show(response, place, {
        title: t.products,
        sections: [
          {
            forms: [searchForm(at('products'), text, t)],
            table: {
              caption: t.products,
              columns: [
                { label: t.name },
                { label: t.price, isNumber: true },
                { label: t.vat, isNumber: true },
                { label: t.unit },
              ],
              rows: products.map(({ details }) => [
                plain(details?.name ?? t.none),
                plain(money(details?.unitPriceCents ?? 0, currency, language)),
                plain(details?.vatRateBps === undefined ? t.none : percent(details.vatRateBps, language)),
                plain(details?.unit ?? t.none),
              ]),
              empty: t.noProducts,
            },
            actions: olderAction(at('products'), text, cursor, t),
          },
        ],
      });
    });
