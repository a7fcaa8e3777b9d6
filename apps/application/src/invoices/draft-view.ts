import type { Invoice, PricedLines } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import type { Customer, Product } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import type { FieldBlock, PageBlock } from '../pages/blocks';
import { money, percent } from '../pages/format';
import type { Faults } from '../pages/form-request';
import type { Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import type { DraftForm, LineForm } from './draft-form';

interface Editor {
  readonly form: DraftForm;
  readonly faults: Faults;
  readonly hidden: Readonly<Record<string, string>>;
  readonly draft?: Invoice | undefined;
  readonly customers: readonly Customer[];
  readonly products: readonly Product[];
}

const TREATMENTS: readonly [VatTreatment, keyof Texts][] = [
  [VatTreatment.STANDARD_21, 'vatStandard'],
  [VatTreatment.REDUCED_9, 'vatReduced'],
  [VatTreatment.ZERO, 'vatZero'],
  [VatTreatment.EXEMPT, 'vatExempt'],
  [VatTreatment.REVERSE_CHARGE, 'vatReverse'],
  [VatTreatment.INTRA_COMMUNITY, 'vatIntra'],
];

/** Everything that the editor shows but its totals. */
export function draftView(place: Workplace, editor: Editor) {
  const { t, at } = place;
  const { draft, form, hidden } = editor;
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
    hasNoCustomer: editor.customers.length === 0,
    isIssuer: place.may('invoices.issue'),
    head: headFields(place, editor),
    terms: termFields(place, editor),
    lines: form.lines.map((line, index) => ({
      label: `${t.line} ${index + 1}`,
      press: `remove-${index}`,
      fields: lineFields(place, editor, line, index),
    })),
  };
}

function headFields({ t, organization }: Workplace, { form, faults, customers }: Editor): readonly FieldBlock[] {
  const field = (name: keyof DraftForm, label: string, more: Partial<FieldBlock>): FieldBlock => ({
    name,
    label,
    value: form[name] as string,
    fault: faults.fields[name],
    autocomplete: 'off',
    ...more,
  });
  return [
    field('customerId', t.customer, {
      required: true,
      options: [
        { value: '', label: t.chooseCustomer },
        ...customers.map(({ id, details }) => ({ value: id, label: details?.companyName || details?.name || id })),
      ],
    }),
    ...(organization.profiles.length > 1
      ? [
          field('profileId', t.profile, {
            required: true,
            options: organization.profiles.map(({ id, name }) => ({ value: id, label: name })),
          }),
        ]
      : []),
    field('issueDate', t.date, { type: 'date', hint: t.issueDateHint }),
    field('dueDate', t.dueDate, { type: 'date' }),
    field('pricesIncludeVat', t.pricesAre, {
      required: true,
      options: [
        { value: '', label: t.pricesExclude },
        { value: 'yes', label: t.pricesInclude },
      ],
    }),
  ];
}

const termFields = ({ t }: Workplace, { form, faults }: Editor): readonly FieldBlock[] => [
  {
    name: 'reference',
    label: t.buyerReference,
    value: form.reference,
    fault: faults.fields['reference'],
    maxLength: 100,
    hint: t.buyerReferenceHint,
  },
  { name: 'note', label: t.note, value: form.note, fault: faults.fields['note'], rows: 3, maxLength: 2_000 },
];

function lineFields(
  { t }: Workplace,
  { faults, products }: Editor,
  line: LineForm,
  index: number,
): readonly FieldBlock[] {
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
    ...(products.length > 0
      ? [
          field('productId', t.product, {
            required: false,
            options: [
              { value: '', label: t.none },
              ...products.map(({ id, details }) => ({ value: id, label: details?.name ?? id })),
            ],
          }),
        ]
      : []),
    field('description', t.description, { maxLength: 1_000 }),
    field('quantity', t.quantity, { inputMode: 'decimal', maxLength: 30 }),
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
