import { vatTreatmentFromJSON } from '@invoicing/contracts/invoicing/billing/v1/line';
import type { VatBox, VatLine, VatReturn } from '@invoicing/contracts/invoicing/billing/v1/vat_return';
import { treatmentName } from '../editor/line-view';
import { linked, plain, type Cell, type PageBlock, type SectionBlock } from '../pages/blocks';
import { day, money, percent } from '../pages/format';
import { faultList, type Faults } from '../pages/form-request';
import { fill, type Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import { vatForm } from './books-pages';

const BOXES: Readonly<Record<string, keyof Texts>> = {
  '1a': 'box1a',
  '1b': 'box1b',
  '1c': 'box1c',
  '1d': 'box1d',
  '1e': 'box1e',
  '2a': 'box2a',
  '3a': 'box3a',
  '3b': 'box3b',
  '3c': 'box3c',
  exempt: 'boxExempt',
};

/** The figures of a period; undefined: there is no such period. */
export function vatPage(place: Workplace, period: string, found: VatReturn | undefined, faults: Faults): PageBlock {
  const { t, at, language } = place;
  const form: SectionBlock = { forms: [vatForm(place, period, faults)] };
  const page = { title: t.vatReturn, back: { label: t.books, href: at('books') } };
  if (!found) return { ...page, notice: faults.notice, faults: faultList(faults), sections: [form] };
  const days = [found.from, found.to].map((date) => day(date, language)).join(' – ');
  return {
    ...page,
    intro: fill(t.vatIntro, { days }),
    ...(found.closed && { state: { text: t.periodClosed, tone: 'good' as const } }),
    sections: [form, boxesSection(place, period, found), icpSection(place, found), ossSection(place, found)],
  };
}

function boxesSection(place: Workplace, period: string, { boxes, vatEuros }: VatReturn): SectionBlock {
  const { t, at, currency, language } = place;
  const row = ({
    box,
    baseEuros,
    vatEuros: vat,
    baseCents,
    documents,
    documentsWithWarnings: warned,
  }: VatBox): Cell[] => [
    plain(t[BOXES[box] ?? 'none']),
    plain(euros(baseEuros, language)),
    plain(euros(vat, language)),
    plain(money(baseCents, currency, language)),
    documents === 0
      ? plain('0')
      : linked(String(documents), `${at('books/vat/lines')}?${new URLSearchParams({ period, box }).toString()}`),
    warned > 0 ? { text: String(warned), tone: 'warning' } : plain('0'),
  ];
  return {
    title: t.vatBoxes,
    text: t.vatBoxesText,
    table: {
      caption: t.vatBoxes,
      columns: [
        { label: t.vatBox },
        { label: t.vatBase, isNumber: true },
        { label: t.vat, isNumber: true },
        { label: t.vatExact, isNumber: true },
        { label: t.documents, isNumber: true },
        { label: t.warnings, isNumber: true },
      ],
      rows: boxes.filter(({ fromSales }) => fromSales).map(row),
      empty: t.none,
    },
    facts: [[t.vatDue, plain(euros(vatEuros, language))]],
  };
}

const euros = (whole: number, language: Workplace['language']): string =>
  new Intl.NumberFormat(language === 'nl' ? 'nl-NL' : 'en-IE', {
    ...{ style: 'currency', currency: 'EUR', maximumFractionDigits: 0 },
  }).format(whole);

const icpSection = ({ t, language }: Workplace, { icp }: VatReturn): SectionBlock => ({
  title: t.icp,
  text: t.icpText,
  table: {
    caption: t.icp,
    columns: [
      { label: t.customer },
      { label: t.btwId },
      { label: t.icpGoods, isNumber: true },
      { label: t.icpServices, isNumber: true },
    ],
    rows: icp.map(({ name, vatId, goodsEuros, servicesEuros }) => [
      plain(name),
      vatId ? plain(vatId) : { text: t.icpNoId, tone: 'bad' },
      plain(euros(goodsEuros, language)),
      plain(euros(servicesEuros, language)),
    ]),
    empty: t.icpNone,
  },
});

const ossSection = ({ t, currency, language }: Workplace, { oss }: VatReturn): SectionBlock => ({
  title: t.oss,
  text: t.ossText,
  table: {
    caption: t.oss,
    columns: [
      { label: t.country },
      { label: t.vatRate, isNumber: true },
      { label: t.vatBase, isNumber: true },
      { label: t.vat, isNumber: true },
      { label: t.documents, isNumber: true },
    ],
    rows: oss.map(({ countryCode, rateBps, baseCents, vatCents, documents }) => [
      plain(new Intl.DisplayNames([language], { type: 'region' }).of(countryCode) ?? countryCode),
      plain(percent(rateBps, language)),
      plain(money(baseCents, currency, language)),
      plain(money(vatCents, currency, language)),
      plain(String(documents)),
    ]),
    empty: t.ossNone,
  },
});

interface ShownLines {
  readonly period: string;
  readonly box: string;
  readonly lines: readonly VatLine[];
  readonly isMore: boolean;
}

/** The documents behind a figure. */
export function vatLinesPage(place: Workplace, { period, box, lines, isMore }: ShownLines): PageBlock {
  const { t, at, currency, language } = place;
  return {
    title: fill(t.vatLines, { period }),
    ...(BOXES[box] && { intro: t[BOXES[box]] }),
    back: { label: t.vatReturn, href: `${at('books/vat')}?${new URLSearchParams({ period }).toString()}` },
    ...(isMore && { notice: { tone: 'plain', text: t.vatLinesMore } }),
    sections: [
      {
        table: {
          caption: t.documents,
          columns: [
            { label: t.number },
            { label: t.date },
            { label: t.customer },
            { label: t.vat },
            { label: t.vatBase, isNumber: true },
            { label: t.vatAmount, isNumber: true },
            { label: t.warnings },
          ],
          rows: lines.map((line) => [
            linked(line.number, at(`invoices/${line.invoiceId}`)),
            plain(day(line.issueDate, language)),
            plain(line.customer || t.none),
            plain(treatmentName(t, vatTreatmentFromJSON(`VAT_TREATMENT_${line.vatTreatment.toUpperCase()}`))),
            plain(money(line.baseCents, currency, language)),
            plain(money(line.vatCents, currency, language)),
            line.warnings.length > 0
              ? { text: line.warnings.map(({ message }) => message).join('; '), tone: 'warning' }
              : plain(t.none),
          ]),
          empty: t.none,
        },
      },
    ],
  };
}
