import type { Customer, Product } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { AppError } from '@invoicing/errors';
import { LineInput } from '@invoicing/contracts/invoicing/billing/v1/line';
import type { PricedLines } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { Workplace } from '../pages/visit';
import type { Peers } from '../peers-client';
import { lineFormOf, lineInputs, withLine, type DraftForm } from './draft-form';

// What fits a list that people choose from; a search finds the others.
const CUSTOMERS_SHOWN = 20;
const PRODUCTS_SHOWN = 8;

/** Whom a draft can be for, and what its lines can be about. */
export interface Choices {
  readonly customers: readonly Customer[];
  /** There are more customers than are shown. */
  readonly isMore: boolean;
  readonly products: readonly Product[];
}

/** The newest of what was looked for, and always the customer who is chosen. */
export async function choicesOf(peers: Peers, place: Workplace, form: DraftForm): Promise<Choices> {
  const { organizationId } = place;
  const [found, { products }] = await Promise.all([
    peers.customers.listCustomers(
      { organizationId, limit: CUSTOMERS_SHOWN, text: form.customerSearch || undefined },
      place.call(),
    ),
    peers.products.listProducts(
      { organizationId, limit: PRODUCTS_SHOWN, text: form.productSearch || undefined },
      place.call(),
    ),
  ]);
  const { customers, cursor } = found;
  const isListed = form.customerId === '' || customers.some(({ id }) => id === form.customerId);
  const chosen = isListed ? [] : await chosenCustomer(peers, place, form.customerId);
  return { customers: [...chosen, ...customers], isMore: cursor !== undefined, products };
}

/** None when the form names nobody that the organisation knows: billing says so beside the field. */
async function chosenCustomer(peers: Peers, place: Workplace, customerId: string): Promise<Customer[]> {
  const { organizationId } = place;
  try {
    return [await peers.customers.getCustomer({ organizationId, customerId }, place.call())];
  } catch (error) {
    if (error instanceof AppError && (error.kind === 'absent' || error.kind === 'invalid')) return [];
    throw error;
  }
}

/** The form with a line about a product, with its words and price as they are now. */
export async function withProduct(
  peers: Peers,
  place: Workplace,
  form: DraftForm,
  productId: string,
): Promise<DraftForm> {
  const { organizationId, language } = place;
  const lines = [LineInput.fromPartial({ productId })];
  const priced = await peers.invoices.priceLines({ organizationId, lines }, place.call());
  const [line] = priced.lines;
  return line ? withLine({ ...form, productSearch: '' }, lineFormOf(line, language)) : form;
}

/** The one pricing function, billing's; undefined while what is typed cannot be priced. */
export async function priced(peers: Peers, place: Workplace, form: DraftForm): Promise<PricedLines | undefined> {
  try {
    const lines = lineInputs(form);
    if (lines.length === 0) return undefined;
    const { organizationId } = place;
    const asked = { organizationId, lines, pricesIncludeVat: form.pricesIncludeVat === 'yes' || undefined };
    return await peers.invoices.priceLines(asked, place.call());
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid') return undefined;
    throw error;
  }
}
