import type { Invoice, PricedLines } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { LANGUAGE_NAMES } from '@invoicing/design';
import { customerViews, productViews } from '../editor/choice-view';
import type { CustomersFound, ProductsFound } from '../editor/choices';
import { linesView } from '../editor/line-view';
import { pricesField, profileFields, wordFields, type MakeField } from '../editor/term-fields';
import { plain, type Cell, type FieldBlock, type PageBlock, type SectionBlock } from '../pages/blocks';
import { money, percent } from '../pages/format';
import type { Faults } from '../pages/form-request';
import type { Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import type { DraftForm, HeadForm } from './draft-form';

interface Editor {
  readonly form: DraftForm;
  readonly faults: Faults;
  readonly hidden: Readonly<Record<string, string>>;
  readonly draft?: Invoice | undefined;
  readonly choices: CustomersFound & ProductsFound;
}

/** Languages that a document can be in; empty: the customer's. */
export const documentLanguages = (t: Texts): Readonly<Record<string, string>> => ({
  '': t.languageOfCustomer,
  ...LANGUAGE_NAMES,
});

/** Everything that the editor shows but its totals. */
export function draftView(place: Workplace, editor: Editor) {
  const { t, at } = place;
  const { draft, form, hidden, faults, choices } = editor;
  const isIssuer = place.may('invoices.issue');
  const page: PageBlock = {
    title: draft ? draft.number : t.newInvoice,
    back: { label: draft ? draft.number : t.invoices, href: draft ? at(`invoices/${draft.id}`) : at('invoices') },
    sections: [],
  };
  return {
    page,
    hidden,
    action: draft ? at(`invoices/${draft.id}/edit`) : at('invoices/new'),
    liveUrl: at('invoices/totals'),
    ...customerViews(place, form, faults, choices),
    ...productViews(place, form, choices),
    head: headFields(place, editor),
    terms: termFields(place, editor),
    lines: linesView(place, form.lines, faults, choices.names),
    buttons: [
      ...(isIssuer ? [{ press: 'issue', label: t.saveAndIssue, isPrimary: true }] : []),
      { press: 'save', label: t.saveDraft, isPrimary: !isIssuer },
      { press: 'preview', label: t.saveAndPreview },
    ],
    preview: draft && {
      picture: at(`invoices/${draft.id}/draft.svg?revision=${draft.revision ?? 0}`),
      pdf: at(`invoices/${draft.id}/draft.pdf`),
    },
  };
}

const headField =
  ({ form, faults }: Editor): MakeField<keyof HeadForm> =>
  (name, label, more) => ({
    name,
    label,
    value: form[name],
    fault: faults.fields[name],
    autocomplete: 'off',
    ...more,
  });

function headFields(place: Workplace, editor: Editor): readonly FieldBlock[] {
  const { t } = place;
  const field = headField(editor);
  return [
    ...profileFields(place, field),
    field('issueDate', t.date, { type: 'date', hint: t.issueDateHint }),
    field('dueDate', t.dueDate, { type: 'date', hint: t.dueDateHint }),
    pricesField(place, field),
  ];
}

function termFields(place: Workplace, editor: Editor): readonly FieldBlock[] {
  const { t } = place;
  const field = headField(editor);
  return [
    ...wordFields(place, field),
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

/** What billing makes of the lines, as it follows what is typed; said to be missing while they cannot be priced. */
export function totalsSection({ t, language }: Workplace, priced: PricedLines | undefined): SectionBlock {
  if (!priced) return { text: t.noTotals, isLive: true };
  const amount = (cents: number): Cell => plain(money(cents, priced.currency, language));
  const { exclCents = 0, inclCents = 0, groups = [] } = priced.totals ?? {};
  return {
    isLive: true,
    facts: [
      [t.totalExcl, amount(exclCents)],
      ...groups.map(
        ({ rateBps, baseCents, vatCents }) =>
          [`${t.vat} ${percent(rateBps, language)} ${t.over} ${amount(baseCents).text}`, amount(vatCents)] as const,
      ),
      [t.totalIncl, amount(inclCents)],
    ],
  };
}
