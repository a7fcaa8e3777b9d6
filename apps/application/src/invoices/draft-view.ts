import type { Invoice, PricedLines } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { LANGUAGE_NAMES } from '@invoicing/design';
import type { FieldBlock, PageBlock } from '../pages/blocks';
import { money, percent } from '../pages/format';
import type { Faults } from '../pages/form-request';
import type { Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import type { Choices } from './draft-choices';
import type { DraftForm, HeadForm, LineForm } from './draft-form';

interface Editor {
  readonly form: DraftForm;
  readonly faults: Faults;
  readonly hidden: Readonly<Record<string, string>>;
  readonly draft?: Invoice | undefined;
  readonly choices: Choices;
}

const TREATMENTS: readonly [VatTreatment, keyof Texts][] = [
  [VatTreatment.STANDARD_21, 'vatStandard'],
  [VatTreatment.REDUCED_9, 'vatReduced'],
  [VatTreatment.ZERO, 'vatZero'],
  [VatTreatment.EXEMPT, 'vatExempt'],
  [VatTreatment.REVERSE_CHARGE, 'vatReverse'],
  [VatTreatment.INTRA_COMMUNITY, 'vatIntra'],
];

export const treatmentName = (t: Texts, treatment: VatTreatment): string => {
  const found = TREATMENTS.find(([value]) => value === treatment);
  return found ? t[found[1]] : '';
};

/** Languages that a document can be in; empty: the customer's. */
export const documentLanguages = (t: Texts): Readonly<Record<string, string>> => ({
  '': t.languageOfCustomer,
  ...LANGUAGE_NAMES,
});

/** Everything that the editor shows but its totals. */
export function draftView(place: Workplace, editor: Editor) {
  const { t, at } = place;
  const { draft, form, hidden, faults, choices } = editor;
  const page: PageBlock = {
    title: draft ? draft.number : t.newInvoice,
    back: { label: draft ? draft.number : t.invoices, href: draft ? at(`invoices/${draft.id}`) : at('invoices') },
    sections: [],
  };
  return {
    page,
    hidden,
    action: draft ? at(`invoices/${draft.id}/edit`) : at('invoices/new'),
    totalsUrl: at('invoices/totals'),
    newCustomerUrl: at('customers/new'),
    hasNoCustomer: choices.customers.length === 0 && form.customerSearch === '',
    isIssuer: place.may('invoices.issue'),
    ...choiceViews(place, form, faults, choices),
    head: headFields(place, editor),
    terms: termFields(place, editor),
    lines: form.lines.map((line, index) => ({
      label: `${t.line} ${index + 1}`,
      press: `remove-${index}`,
      productId: { name: `lines.${index}.productId`, value: line.productId },
      fields: lineFields(place, faults, line, index),
    })),
    preview: draft && {
      picture: at(`invoices/${draft.id}/draft.svg?revision=${draft.revision ?? 0}`),
      pdf: at(`invoices/${draft.id}/draft.pdf`),
    },
  };
}

/** What people choose from: the customers and products that were looked for. */
export function choiceViews(place: Workplace, form: DraftForm, faults: Faults, choices: Choices) {
  const { t, at, currency, language } = place;
  const search = (name: 'customerSearch' | 'productSearch', label: string, what: string): FieldBlock => ({
    ...{ name, label, value: form[name], type: 'search', autocomplete: 'off', maxLength: 100 },
    data: { 'choices-url': at(`invoices/choices/${what}`), 'choices-for': `${what}-choices` },
  });
  const customer: FieldBlock = {
    name: 'customerId',
    label: t.customer,
    value: form.customerId,
    required: true,
    fault: faults.fields['customerId'],
    options: [
      { value: '', label: choices.customers.length === 0 ? t.nothingFound : t.chooseCustomer },
      ...choices.customers.map(({ id, details }) => ({
        value: id,
        label: [details?.companyName || details?.name || id, details?.city].filter(Boolean).join(', '),
      })),
    ],
  };
  return {
    customer,
    // Whoever has few of them sees all of them.
    customerSearch:
      choices.isMore || form.customerSearch !== '' ? search('customerSearch', t.findCustomer, 'customer') : undefined,
    productSearch: search('productSearch', t.findProduct, 'product'),
    products: choices.products.map(({ id, details }) => ({
      press: `add-product-${id}`,
      label: details?.name ?? id,
      price: money(details?.unitPriceCents ?? 0, currency, language),
    })),
  };
}

const headField =
  ({ form, faults }: Editor) =>
  (name: keyof HeadForm, label: string, more: Partial<FieldBlock>): FieldBlock => ({
    name,
    label,
    value: form[name],
    fault: faults.fields[name],
    autocomplete: 'off',
    ...more,
  });

function headFields({ t, organization }: Workplace, editor: Editor): readonly FieldBlock[] {
  const field = headField(editor);
  return [
    ...(organization.profiles.length > 1
      ? [
          field('profileId', t.profile, {
            required: true,
            options: organization.profiles.map(({ id, name }) => ({ value: id, label: name })),
          }),
        ]
      : []),
    field('issueDate', t.date, { type: 'date', hint: t.issueDateHint }),
    field('dueDate', t.dueDate, { type: 'date', hint: t.dueDateHint }),
    field('pricesIncludeVat', t.pricesAre, {
      required: true,
      options: [
        { value: '', label: t.pricesExclude },
        { value: 'yes', label: t.pricesInclude },
      ],
    }),
  ];
}

function termFields({ t }: Workplace, editor: Editor): readonly FieldBlock[] {
  const field = headField(editor);
  return [
    field('reference', t.buyerReference, { maxLength: 100, hint: t.buyerReferenceHint }),
    field('note', t.note, { rows: 3, maxLength: 2_000 }),
    field('language', t.documentLanguage, {
      required: true,
      options: Object.entries(documentLanguages(t)).map(([value, label]) => ({ value, label })),
    }),
    field('supplyDate', t.supplyDate, { type: 'date', hint: t.supplyDateHint }),
    field('periodFrom', t.periodFrom, { type: 'date' }),
    field('periodTo', t.periodTo, { type: 'date' }),
    field('post', t.post, {
      required: true,
      options: [
        { value: '', label: t.no },
        { value: 'yes', label: t.postYes },
      ],
    }),
  ];
}

/** The fields of one line; so they are on subscriptions and checkouts, too. */
export function lineFields({ t }: Workplace, faults: Faults, line: LineForm, index: number): readonly FieldBlock[] {
  const field = (name: keyof LineForm, label: string, more: Partial<FieldBlock> = {}): FieldBlock => ({
    name: `lines.${index}.${name}`,
    label,
    value: line[name],
    fault: faults.fields[`lines.${index}.${name}`],
    autocomplete: 'off',
    required: true,
    ...more,
  });
  return [
    field('description', t.description, { rows: 1, maxLength: 2_000 }),
    field('quantity', t.quantity, { inputMode: 'decimal', maxLength: 30 }),
    field('unit', t.unit, { maxLength: 30, required: false }),
    field('unitPriceCents', t.unitPrice, { inputMode: 'decimal', maxLength: 30 }),
    field('vatTreatment', t.vat, {
      required: false,
      options: [
        { value: '', label: t.vatOfProduct },
        ...TREATMENTS.map(([value, label]) => ({ value, label: t[label] })),
      ],
    }),
    field('discountBps', t.discount, { inputMode: 'decimal', maxLength: 10, required: false }),
  ];
}

/** What billing makes of the lines; empty while they cannot be priced. */
export function totalsView({ t, language }: Workplace, priced: PricedLines | undefined) {
  if (!priced) return undefined;
  const amount = (cents: number): string => money(cents, priced.currency, language);
  const { exclCents = 0, inclCents = 0, groups = [] } = priced.totals ?? {};
  return {
    rows: [
      [t.totalExcl, amount(exclCents)],
      ...groups.map(({ rateBps, baseCents, vatCents }) => [
        `${t.vat} ${percent(rateBps, language)} ${t.over} ${amount(baseCents)}`,
        amount(vatCents),
      ]),
      [t.totalIncl, amount(inclCents)],
    ],
  };
}
