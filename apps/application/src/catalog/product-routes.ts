import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Product, ProductDetails } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { validationError } from '@invoicing/errors';
import { linked, plain, type FieldBlock, type PageBlock } from '../pages/blocks';
import { money, percent } from '../pages/format';
import { faultList, fieldOf, filledFields, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { cursorOf, doneNotice, idOf, isArchivedList, olderAction, searchForm, searchOf } from '../pages/list-request';
import { centsField, typedCents } from '../pages/typed-amount';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 50;
const NAMES = ['name', 'unitPriceCents', 'vatRateBps', 'unit', 'sku'] as const;
const RATES = [2100, 900, 0];

/** As they stand in the form: the price as it was typed. */
type Values = Partial<Record<(typeof NAMES)[number], string>>;

/** Products: looked up, made, changed, archived. */
export const productRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    listProducts(peers, part);
    makeProducts(peers, part);
    showProducts(peers, part);
    changeProducts(peers, part);
  };

/** The list. */
function listProducts(peers: Peers, part: Part): void {
  part.get('/products', async (place, request, response) =>
    show(response, place, await listPage(peers, place, request)),
  );
}

/** A new one. */
function makeProducts(peers: Peers, part: Part): void {
  part.get(
    '/products/new',
    (place, _request, response) =>
      show(response, place, formPage(place, { vatRateBps: '2100' }, noFaults, { operation: randomUUID() })),
    'products.write',
  );

  part.post(
    '/products/new',
    (place, request, response) => {
      const operation = operationOf(request);
      return submit(
        place,
        response,
        async () => {
          const { organizationId, at, call } = place;
          const made = await peers.products.createProduct(
            { organizationId, details: detailsOf(request) },
            call(operation),
          );
          return `${at(`products/${made.id}`)}?done=yes`;
        },
        (faults) =>
          show(
            response,
            place,
            formPage(place, filledFields(request, NAMES), faults, { operation }),
            response.statusCode,
          ),
      );
    },
    'products.write',
  );
}

/** One of them. */
function showProducts(peers: Peers, part: Part): void {
  part.get('/products/:id', async (place, request, response) => {
    const product = await find(peers, place, request);
    show(response, place, productPage(place, product, request));
  });
}

/** Edited, archived, brought back. */
function changeProducts(peers: Peers, part: Part): void {
  part.get(
    '/products/:id/edit',
    async (place, request, response) => {
      const product = await find(peers, place, request);
      const revision = String(product.revision ?? '');
      show(response, place, formPage(place, valuesOf(place, product.details), noFaults, { revision }, product));
    },
    'products.write',
  );

  part.post(
    '/products/:id/edit',
    async (place, request, response) => {
      const product = await find(peers, place, request);
      const revision = fieldOf(request, 'revision');
      return submit(
        place,
        response,
        async () => {
          await peers.products.updateProduct(
            {
              organizationId: place.organizationId,
              productId: product.id,
              details: detailsOf(request),
              updateMask: [...NAMES],
              revision: revision === '' ? undefined : Number(revision),
            },
            place.call(),
          );
          return `${place.at(`products/${product.id}`)}?done=yes`;
        },
        (faults) =>
          show(
            response,
            place,
            formPage(place, filledFields(request, NAMES), faults, { revision }, product),
            response.statusCode,
          ),
      );
    },
    'products.write',
  );

  part.post(
    '/products/:id/archive',
    async (place, request, response) => {
      const { organizationId, at } = place;
      const productId = idOf(request.params['id']);
      const undo = fieldOf(request, 'undo') === 'yes';
      await peers.products.archiveProduct({ organizationId, productId, undo, revision: undefined }, place.call());
      response.redirect(303, `${at(`products/${productId}`)}?done=yes`);
    },
    'products.write',
  );
}

async function find(peers: Peers, place: Workplace, request: Request): Promise<Product> {
  const productId = idOf(request.params['id']);
  return peers.products.getProduct({ organizationId: place.organizationId, productId }, place.call());
}

function detailsOf(request: Request): ProductDetails {
  const { name = '', unitPriceCents = '', vatRateBps, unit, sku } = filledFields(request, NAMES);
  const cents = typedCents(unitPriceCents);
  if (cents === undefined) throw validationError([{ path: '/unitPriceCents', message: 'must be an amount' }]);
  return {
    name,
    unitPriceCents: cents,
    vatRateBps: vatRateBps === undefined ? undefined : Number(vatRateBps),
    unit,
    sku,
  };
}

const valuesOf = ({ language }: Workplace, details: ProductDetails | undefined): Values => ({
  name: details?.name ?? '',
  unitPriceCents: centsField(details?.unitPriceCents ?? 0, language),
  vatRateBps: details?.vatRateBps === undefined ? '' : String(details.vatRateBps),
  unit: details?.unit ?? '',
  sku: details?.sku ?? '',
});

async function listPage(peers: Peers, place: Workplace, request: Request): Promise<PageBlock> {
  const { t, at, organizationId, currency, language, may } = place;
  const text = searchOf(request);
  const asked = { organizationId, limit: LISTED, text: text || undefined, cursor: cursorOf(request) };
  const { products, cursor } = await peers.products.listProducts(
    { ...asked, archived: isArchivedList(request) },
    place.call(),
  );
  return {
    title: t.products,
    actions: may('products.write') ? [{ label: t.newProduct, href: at('products/new'), isPrimary: true }] : [],
    sections: [
      {
        forms: [searchForm(at('products'), text, t)],
        isFormFirst: true,
        table: {
          caption: t.products,
          columns: [
            { label: t.name },
            { label: t.price, isNumber: true },
            { label: t.vat, isNumber: true },
            { label: t.unit },
          ],
          rows: products.map(({ id, details }) => [
            linked(details?.name || t.none, at(`products/${id}`)),
            plain(money(details?.unitPriceCents ?? 0, currency, language)),
            plain(details?.vatRateBps === undefined ? t.none : percent(details.vatRateBps, language)),
            plain(details?.unit ?? t.none),
          ]),
          empty: t.noProducts,
        },
        actions: olderAction(at('products'), text, cursor, t),
      },
    ],
  };
}

function productPage(place: Workplace, { id, details, archivedAt, mergedInto }: Product, request: Request): PageBlock {
  const { t, at, may, currency, language } = place;
  const mayChange = may('products.write');
  return {
    title: details?.name || t.products,
    back: { label: t.products, href: at('products') },
    ...(archivedAt && { state: { text: t.stateArchived, tone: 'plain' as const } }),
    notice: doneNotice(request, t),
    actions: mayChange
      ? [
          { label: t.edit, href: at(`products/${id}/edit`) },
          ...(archivedAt ? [] : [{ label: t.merge, href: at(`products/${id}/merge`) }]),
        ]
      : [],
    sections: [
      {
        facts: [
          [t.price, plain(money(details?.unitPriceCents ?? 0, currency, language))],
          [t.vat, plain(details?.vatRateBps === undefined ? t.none : percent(details.vatRateBps, language))],
          [t.unit, plain(details?.unit ?? t.none)],
          [t.sku, plain(details?.sku ?? t.none)],
          ...(mergedInto ? [[t.mergedInto, linked(t.mergedIntoProduct, at(`products/${mergedInto}`))] as const] : []),
        ],
      },
      ...(mayChange
        ? [
            {
              text: archivedAt ? t.restoreText : t.archiveProductText,
              forms: [
                {
                  action: at(`products/${id}/archive`),
                  submit: archivedAt ? t.restore : t.archive,
                  tone: '' as const,
                  hidden: { undo: archivedAt ? 'yes' : '' },
                },
              ],
            },
          ]
        : []),
    ],
  };
}

function formPage(
  place: Workplace,
  values: Values,
  faults: Faults,
  hidden: Readonly<Record<string, string>>,
  product?: Product,
): PageBlock {
  const { t, at } = place;
  const here = product ? at(`products/${product.id}`) : at('products');
  return {
    title: product ? t.editProduct : t.newProduct,
    back: { label: t.products, href: at('products') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            action: product ? `${here}/edit` : `${here}/new`,
            submit: t.save,
            cancel: here,
            hidden,
            fields: fields(place, values).map((field) => ({ ...field, fault: faults.fields[field.name] })),
          },
        ],
      },
    ],
  };
}

function fields({ t, language }: Workplace, values: Values): readonly FieldBlock[] {
  const chosen = values.vatRateBps ?? '';
  const rates = [...new Set([...RATES, ...(chosen === '' ? [] : [Number(chosen)])])];
  return [
    { name: 'name', label: t.name, value: values.name ?? '', required: true, maxLength: 200 },
    {
      name: 'unitPriceCents',
      label: t.price,
      value: values.unitPriceCents ?? '',
      required: true,
      inputMode: 'decimal',
      maxLength: 20,
    },
    {
      name: 'vatRateBps',
      label: t.vat,
      value: chosen,
      options: [
        { value: '', label: t.none },
        ...rates.map((bps) => ({ value: String(bps), label: percent(bps, language) })),
      ],
    },
    { name: 'unit', label: t.unit, value: values.unit ?? '', maxLength: 50, hint: t.unitHint },
    { name: 'sku', label: t.sku, value: values.sku ?? '', maxLength: 100 },
  ];
}
