import type { Request } from 'express';
import type { PricedLines } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { LineInput } from '@invoicing/contracts/invoicing/billing/v1/line';
import type { Customer, Product } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { AppError } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import { blankLine, lineFormOf, lineInputs, withLine, type LineForm } from '../invoices/draft-form';
import { fieldOf } from '../pages/form-request';
import type { Workplace } from '../pages/visit';
import type { Peers } from '../peers-client';

// What fits a list that people choose from; a search finds the others.
const CUSTOMERS_SHOWN = 20;
const PRODUCTS_SHOWN = 8;

/** The part of every editor that has lines. */
export interface LinesForm {
  readonly lines: readonly LineForm[];
  readonly pricesIncludeVat: string;
  readonly productSearch: string;
}

/** The part of every editor that is for a customer. */
export interface CustomerChoice {
  readonly customerId: string;
  readonly customerSearch: string;
}

/** Customers that something can be for. */
export interface CustomersFound {
  readonly customers: readonly Customer[];
  /** There are more of them than are shown. */
  readonly isMore: boolean;
}

/** Products that a line can be about, and the names of those that lines are about already. */
export interface ProductsFound {
  readonly products: readonly Product[];
  readonly names: ReadonlyMap<string, string>;
}

/** The newest of what was looked for, and always the one who is chosen. */
export async function customersFor(
  peers: Peers,
  place: Workplace,
  { customerId, customerSearch }: CustomerChoice,
): Promise<CustomersFound> {
  const { organizationId } = place;
  const asked = { organizationId, limit: CUSTOMERS_SHOWN, text: customerSearch || undefined };
  const { customers, cursor } = await peers.customers.listCustomers(asked, place.call());
  const isListed = customerId === '' || customers.some(({ id }) => id === customerId);
  const chosen = isListed ? [] : await chosenCustomer(peers, place, customerId);
  return { customers: [...chosen, ...customers], isMore: cursor !== undefined };
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

/** The newest of what was looked for. */
export async function productsFor(
  peers: Peers,
  place: Workplace,
  { lines, productSearch }: Pick<LinesForm, 'lines' | 'productSearch'>,
): Promise<ProductsFound> {
  const { organizationId } = place;
  const [{ products }, names] = await Promise.all([
    peers.products.listProducts(
      { organizationId, limit: PRODUCTS_SHOWN, text: productSearch || undefined },
      place.call(),
    ),
    productNames(peers, place, lines),
  ]);
  return { products, names };
}

async function productNames(
  peers: Peers,
  place: Workplace,
  lines: readonly LineForm[],
): Promise<ReadonlyMap<string, string>> {
  const productIds = [...new Set(lines.map(({ productId }) => productId))].filter(isUuid);
  if (productIds.length === 0) return new Map();
  const { organizationId } = place;
  const asked = { organizationId, customerIds: [], productIds };
  const { products, mergedProducts } = await peers.references.resolveReferences(asked, place.call());
  const names = new Map(products.map(({ id, details }) => [id, details?.name ?? '']));
  for (const [id, into] of Object.entries(mergedProducts)) names.set(id, names.get(into) ?? '');
  return names;
}

/** The product whose button was pressed. */
function pressedProduct(request: Request): string | undefined {
  const [, productId] = /^add-product-(.+)$/.exec(fieldOf(request, 'press')) ?? [];
  return productId !== undefined && isUuid(productId) ? productId : undefined;
}

/** The form with a line about the product that was pressed, with its words and price as they are now. */
export async function withPressedProduct<F extends LinesForm>(
  peers: Peers,
  place: Workplace,
  request: Request,
  form: F,
): Promise<F> {
  const productId = pressedProduct(request);
  if (productId === undefined) return form;
  const { organizationId, language } = place;
  const lines = [LineInput.fromPartial({ productId })];
  const priced = await peers.invoices.priceLines({ organizationId, lines }, place.call());
  const [line] = priced.lines;
  return line ? withLine({ ...form, productSearch: '' }, lineFormOf(line, language)) : form;
}

/** The same for what comes back: a line that says nothing itself has the words and price of its product at that time. */
export function followingPressedProduct<F extends LinesForm>(request: Request, form: F): F {
  const productId = pressedProduct(request);
  return productId === undefined ? form : withLine({ ...form, productSearch: '' }, { ...blankLine, productId });
}

/** The one pricing function, billing's; undefined while what is typed cannot be priced. */
export async function priced(
  peers: Peers,
  place: Workplace,
  form: Pick<LinesForm, 'lines' | 'pricesIncludeVat'>,
): Promise<PricedLines | undefined> {
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
