import type { Product } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import type { Faults } from '../pages/form-request';
import type { Workplace } from '../pages/visit';
import type { LineForm } from './draft-form';
import { lineFields } from './draft-view';

/** The lines of an editor that chooses products from a list. */
export const linesView = (
  place: Workplace,
  lines: readonly LineForm[],
  { faults, products }: { readonly faults: Faults; readonly products: readonly Product[] },
) =>
  lines.map((line, index) => ({
    label: `${place.t.line} ${index + 1}`,
    press: `remove-${index}`,
    fields: [
      ...(products.length > 0
        ? [
            {
              name: `lines.${index}.productId`,
              label: place.t.product,
              value: line.productId,
              fault: faults.fields[`lines.${index}.productId`],
              options: [
                { value: '', label: place.t.none },
                ...products.map(({ id, details }) => ({ value: id, label: details?.name ?? id })),
              ],
            },
          ]
        : []),
      ...lineFields(place, faults, line, index),
    ],
  }));
