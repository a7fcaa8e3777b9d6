import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Customer, CustomerDetails } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import type { Recipient } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '@invoicing/design';
import { linked, plain, type FieldBlock, type PageBlock, type SectionBlock } from '../pages/blocks';
import { countryOptions } from '../pages/countries';
import { faultList, fieldOf, filledFields, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { doneNotice, idOf, isArchivedList, cursorOf, olderAction, searchForm, searchOf } from '../pages/list-request';
import { knownRecipient, peppolNotice, peppolSections } from './peppol-routes';
import { viesNotice, vatCheckFacts, vatCheckSection } from './vat-check-routes';
import { warningsNotice } from '../pages/warnings';
import type { Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

const LISTED = 50;
const NAMES = [
  'name',
  'companyName',
  'email',
  'addressLine1',
  'postalCode',
  'city',
  'countryCode',
  'btwId',
  'kvkNumber',
  'externalId',
  'language',
] as const;

type Values = { readonly [N in (typeof NAMES)[number]]?: string | undefined };

/** Customers: looked up, made, changed, archived. */
export const customerRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    listCustomers(peers, part);
    makeCustomers(peers, part);
    showCustomers(peers, part);
    changeCustomers(peers, part);
  };

/** The list. */
function listCustomers(peers: Peers, part: Part): void {
  part.get('/customers', async (place, request, response) =>
    show(response, place, await listPage(peers, place, request)),
  );
}

/** A new one. */
function makeCustomers(peers: Peers, part: Part): void {
  part.get(
    '/customers/new',
    (place, _request, response) =>
      show(response, place, formPage(place, { countryCode: 'NL' }, noFaults, { operation: randomUUID() })),
    'customers.write',
  );

  part.post(
    '/customers/new',
    (place, request, response) => {
      const operation = operationOf(request);
      return submit(
        place,
        response,
        async () => {
          const { organizationId, at, call } = place;
          const made = await peers.customers.createCustomer(
            { organizationId, details: detailsOf(request) },
            call(operation),
          );
          return `${at(`customers/${made.id}`)}?done=yes`;
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
    'customers.write',
  );
}

/** One of them. */
function showCustomers(peers: Peers, part: Part): void {
  part.get('/customers/:id', async (place, request, response) => {
    const customer = await find(peers, place, request);
    const recipient = await knownRecipient(peers, place, customer);
    show(response, place, customerPage(place, { customer, recipient }, request));
  });
}

/** Edited, archived, brought back. */
function changeCustomers(peers: Peers, part: Part): void {
  part.get(
    '/customers/:id/edit',
    async (place, request, response) => {
      const customer = await find(peers, place, request);
      const revision = String(customer.revision ?? '');
      show(response, place, formPage(place, customer.details ?? {}, noFaults, { revision }, customer));
    },
    'customers.write',
  );

  part.post(
    '/customers/:id/edit',
    async (place, request, response) => {
      const customer = await find(peers, place, request);
      const revision = fieldOf(request, 'revision');
      return submit(
        place,
        response,
        async () => {
          await peers.customers.updateCustomer(
            {
              organizationId: place.organizationId,
              customerId: customer.id,
              details: detailsOf(request),
              updateMask: [...NAMES],
              revision: revision === '' ? undefined : Number(revision),
            },
            place.call(),
          );
          return `${place.at(`customers/${customer.id}`)}?done=yes`;
        },
        (faults) =>
          show(
            response,
            place,
            formPage(place, filledFields(request, NAMES), faults, { revision }, customer),
            response.statusCode,
          ),
      );
    },
    'customers.write',
  );

  part.post(
    '/customers/:id/archive',
    async (place, request, response) => {
      const { organizationId, at } = place;
      const customerId = idOf(request.params['id']);
      const undo = fieldOf(request, 'undo') === 'yes';
      await peers.customers.archiveCustomer({ organizationId, customerId, undo, revision: undefined }, place.call());
      response.redirect(303, `${at(`customers/${customerId}`)}?done=yes`);
    },
    'customers.write',
  );
}

async function find(peers: Peers, place: Workplace, request: Request): Promise<Customer> {
  const customerId = idOf(request.params['id']);
  return peers.customers.getCustomer({ organizationId: place.organizationId, customerId }, place.call());
}

/** Of the language of somebody's documents. */
const languageName = (t: Texts, code: string | undefined): string =>
  isLanguage(code) ? LANGUAGE_NAMES[code] : t.languageOfCountry;

const detailsOf = (request: Request): CustomerDetails =>
  ({ name: '', ...filledFields(request, NAMES) }) as CustomerDetails;

async function listPage(peers: Peers, place: Workplace, request: Request): Promise<PageBlock> {
  const { t, at, organizationId, may } = place;
  const text = searchOf(request);
  const asked = { organizationId, limit: LISTED, text: text || undefined, cursor: cursorOf(request) };
  const { customers, cursor } = await peers.customers.listCustomers(
    { ...asked, archived: isArchivedList(request) },
    place.call(),
  );
  return {
    title: t.customers,
    actions: may('customers.write') ? [{ label: t.newCustomer, href: at('customers/new'), isPrimary: true }] : [],
    sections: [
      {
        forms: [searchForm(at('customers'), text, t)],
        isFormFirst: true,
        table: {
          caption: t.customers,
          columns: [{ label: t.name }, { label: t.company }, { label: t.email }],
          rows: customers.map(({ id, details }) => [
            linked(details?.name || t.none, at(`customers/${id}`)),
            plain(details?.companyName ?? t.none),
            plain(details?.email ?? t.none),
          ]),
          empty: t.noCustomers,
        },
        actions: olderAction(at('customers'), text, cursor, t),
      },
    ],
  };
}

interface ShownCustomer {
  readonly customer: Customer;
  readonly recipient: Recipient | undefined;
}

function customerPage(place: Workplace, { customer, recipient }: ShownCustomer, request: Request): PageBlock {
  const { id, details, archivedAt } = customer;
  const { t, at, may } = place;
  const mayChange = may('customers.write');
  return {
    title: details?.companyName || details?.name || t.customer,
    back: { label: t.customers, href: at('customers') },
    ...(archivedAt && { state: { text: t.stateArchived, tone: 'plain' as const } }),
    notice:
      doneNotice(request, t) ??
      viesNotice(t, request) ??
      peppolNotice(t, request) ??
      warningsNotice(t, customer.warnings),
    actions: mayChange
      ? [
          { label: t.edit, href: at(`customers/${id}/edit`) },
          ...(archivedAt ? [] : [{ label: t.merge, href: at(`customers/${id}/merge`) }]),
          ...(may('invoices.write') && !archivedAt
            ? [{ label: t.newInvoice, href: `${at('invoices/new')}?customer=${id}`, isPrimary: true }]
            : []),
        ]
      : [],
    sections: [
      {
        facts: customerFacts(place, customer),
        actions: [
          { label: t.invoicesOfCustomer, href: `${at('invoices')}?customer=${id}` },
          ...(may('payments.record')
            ? [{ label: t.remindNoMore, href: `${at('reminders/except')}?customer=${id}` }]
            : []),
        ],
      },
      ...(mayChange && details?.btwId && !archivedAt ? [vatCheckSection(place, customer)] : []),
      ...(mayChange && !archivedAt ? peppolSections(place, customer, recipient) : []),
      ...(mayChange
        ? [
            {
              text: archivedAt ? t.restoreText : t.archiveCustomerText,
              forms: [
                {
                  action: at(`customers/${id}/archive`),
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

function customerFacts(
  place: Workplace,
  { details, vatCheck, mergedInto }: Customer,
): NonNullable<SectionBlock['facts']> {
  const { t, at } = place;
  const value = (text: string | undefined) => plain(text || t.none);
  const address = [details?.addressLine1, details?.postalCode, details?.city, details?.countryCode];
  return [
    [t.name, value(details?.name)],
    [t.company, value(details?.companyName)],
    [t.email, value(details?.email)],
    [t.address, value(address.filter(Boolean).join(', '))],
    [t.btwId, value(details?.btwId)],
    ...(vatCheck ? vatCheckFacts(place, vatCheck) : []),
    [t.kvkNumber, value(details?.kvkNumber)],
    [t.externalId, value(details?.externalId)],
    [t.customerLanguage, plain(languageName(t, details?.language))],
    ...(mergedInto ? [[t.mergedInto, linked(t.mergedIntoLink, at(`customers/${mergedInto}`))] as const] : []),
  ];
}

function formPage(
  place: Workplace,
  values: Values,
  faults: Faults,
  hidden: Readonly<Record<string, string>>,
  customer?: Customer,
): PageBlock {
  const { t, at } = place;
  const here = customer ? at(`customers/${customer.id}`) : at('customers');
  return {
    title: customer ? t.editCustomer : t.newCustomer,
    back: { label: t.customers, href: at('customers') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            action: customer ? `${here}/edit` : `${here}/new`,
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
  const field = (name: keyof Values, label: string, more: Partial<FieldBlock> = {}): FieldBlock => ({
    name,
    label,
    value: values[name] ?? '',
    autocomplete: 'off',
    ...more,
  });
  return [
    field('name', t.name, { required: true, maxLength: 200 }),
    field('companyName', t.company, { maxLength: 200 }),
    field('email', t.email, { type: 'email', inputMode: 'email', maxLength: 254, hint: t.customerEmailHint }),
    field('addressLine1', t.street, { maxLength: 200 }),
    field('postalCode', t.postalCode, { maxLength: 20 }),
    field('city', t.city, { maxLength: 100 }),
    field('countryCode', t.country, { options: countryOptions(language, t.none) }),
    field('language', t.customerLanguage, {
      options: ['', ...LANGUAGES].map((code) => ({ value: code, label: languageName(t, code) })),
    }),
    field('btwId', t.btwId, { maxLength: 20 }),
    field('kvkNumber', t.kvkNumber, { maxLength: 20 }),
    field('externalId', t.externalId, { maxLength: 200, hint: t.externalIdHint }),
  ];
}
