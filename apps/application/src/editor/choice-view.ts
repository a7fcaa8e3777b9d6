import type { FieldBlock } from '../pages/blocks';
import { money } from '../pages/format';
import type { Faults } from '../pages/form-request';
import type { Workplace } from '../pages/visit';
import type { CustomerChoice, CustomersFound, LinesForm, ProductsFound } from './choices';

/** Whom something is for; whoever has few customers sees all of them, and no search. */
export function customerViews(
  place: Workplace,
  { customerId, customerSearch }: CustomerChoice,
  faults: Faults,
  { customers, isMore }: CustomersFound,
) {
  const { t } = place;
  const customer: FieldBlock = {
    name: 'customerId',
    label: t.customer,
    value: customerId,
    required: true,
    fault: faults.fields['customerId'],
    options: [
      { value: '', label: customers.length === 0 ? t.nothingFound : t.chooseCustomer },
      ...customers.map(({ id, details }) => ({
        value: id,
        label: [details?.companyName || details?.name || id, details?.city].filter(Boolean).join(', '),
      })),
    ],
  };
  const isSought = isMore || customerSearch !== '';
  return {
    customer,
    customerSearch: isSought ? searchField(place, 'customer', t.findCustomer, customerSearch) : undefined,
    newCustomerUrl: customers.length === 0 && customerSearch === '' ? place.at('customers/new') : undefined,
  };
}

/** What a line can be about: each is a button that adds one. */
export function productViews(
  place: Workplace,
  { productSearch }: Pick<LinesForm, 'productSearch'>,
  { products }: Pick<ProductsFound, 'products'>,
) {
  const { t, currency, language } = place;
  return {
    productSearch: searchField(place, 'product', t.findProduct, productSearch),
    products: products.map(({ id, details }) => ({
      press: `add-product-${id}`,
      label: details?.name ?? id,
      price: money(details?.unitPriceCents ?? 0, currency, language),
    })),
  };
}

const searchField = ({ at }: Workplace, what: 'customer' | 'product', label: string, value: string): FieldBlock => ({
  ...{ name: `${what}Search`, label, value, type: 'search', autocomplete: 'off', maxLength: 100 },
  data: { 'choices-url': at(`choices/${what}`), 'choices-for': `${what}-choices` },
});
