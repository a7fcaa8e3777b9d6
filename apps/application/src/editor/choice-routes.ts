import { typedDraft } from '../invoices/draft-form';
import { noFaults } from '../pages/form-request';
import { showFragment } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { customerViews, productViews } from './choice-view';
import { customersFor, productsFor } from './choices';

/** What the script of an editor asks for while somebody looks for something; without it the button beside it does the same. */
export const choiceRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    part.post(
      '/choices/customer',
      async (place, request, response) => {
        const form = typedDraft(request);
        const { customer } = customerViews(place, form, noFaults, await customersFor(peers, place, form));
        showFragment(response, place, 'field', { field: customer });
      },
      'customers.read',
    );

    part.post(
      '/choices/product',
      async (place, request, response) => {
        const { productSearch } = typedDraft(request);
        const found = await productsFor(peers, place, { productSearch, lines: [] });
        const { products } = productViews(place, { productSearch }, found);
        showFragment(response, place, 'products', { products });
      },
      'products.read',
    );
  };
