import type { ClosedPeriod } from '@invoicing/contracts/invoicing/billing/v1/periods';
import {
  linked,
  plain,
  type Cell,
  type FieldBlock,
  type NoticeBlock,
  type PageBlock,
  type SectionBlock,
} from '../pages/blocks';
import { day, moment } from '../pages/format';
import { faultList, type Faults } from '../pages/form-request';
import type { Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';

/** What the forms of the books say. */
export interface BooksForm {
  readonly from: string;
  readonly to: string;
  /** A year, a quarter or a month: 2026, 2026-Q3, 2026-07. */
  readonly period: string;
}

const FILES: readonly (readonly [string, keyof Texts])[] = [
  ['auditfile.xml', 'fileAudit'],
  ['auditfile-3.2.xml', 'fileAuditOld'],
  ['bookings.csv', 'fileBookings'],
  ['vat.csv', 'fileVat'],
  ['documents.zip', 'fileDocuments'],
];

interface Shown {
  readonly periods: readonly ClosedPeriod[];
  readonly form: BooksForm;
  readonly faults: Faults;
  readonly notice: NoticeBlock | undefined;
}

export function booksPage(place: Workplace, { periods, form, faults, notice }: Shown): PageBlock {
  const { t, at } = place;
  return {
    title: t.books,
    intro: t.booksIntro,
    notice: faults.notice ?? notice,
    faults: faultList(faults),
    sections: [
      { title: t.vatReturn, text: t.vatReturnText, forms: [vatForm(place, form.period, faults)] },
      {
        title: t.files,
        text: t.filesText,
        forms: [
          {
            ...{ action: at('books/files'), method: 'get', submit: t.download, tone: '', isRow: true },
            fields: [
              {
                ...{ name: 'file', label: t.file, value: '', isQuiet: true },
                options: FILES.map(([value, label]) => ({ value, label: t[label] })),
              },
              ...daysFields(place, form, faults),
            ],
          },
        ],
      },
      periodsSection(place, periods),
    ],
  };
}

/** Asks for the figures of a period. */
export const vatForm = ({ t, at }: Workplace, period: string, faults: Faults) => ({
  ...{ action: at('books/vat'), method: 'get' as const, submit: t.vatShow, tone: '' as const, isRow: true },
  fields: [
    {
      ...{ name: 'period', label: t.period, value: period, hint: t.vatPeriodHint, isQuiet: true, maxLength: 7 },
      fault: faults.fields['period'],
    },
  ],
});

export const daysFields = ({ t }: Workplace, { from, to }: BooksForm, { fields }: Faults): readonly FieldBlock[] => [
  { name: 'from', label: t.dateFrom, type: 'date', value: from, required: true, fault: fields['from'] },
  { name: 'to', label: t.dateTo, type: 'date', value: to, required: true, fault: fields['to'] },
];

/** What is closed, with the checksum that its audit file had then. */
function periodsSection(place: Workplace, periods: readonly ClosedPeriod[]): SectionBlock {
  const { t, at, language, timeZone, may } = place;
  const last = periods.find(({ reopenedBecause }) => reopenedBecause === undefined);
  const mayClose = may('periods.close');
  const state = ({ reopenedBecause }: ClosedPeriod): Cell =>
    reopenedBecause === undefined
      ? { text: t.periodClosed, tone: 'good' }
      : plain(`${t.periodReopened}: ${reopenedBecause}`);
  return {
    id: 'periods',
    title: t.closedPeriods,
    text: t.closedPeriodsText,
    table: {
      caption: t.closedPeriods,
      columns: [
        { label: t.period },
        { label: t.when },
        { label: t.by },
        { label: t.checksum },
        { label: t.state },
        ...(mayClose ? [{ label: t.change }] : []),
      ],
      rows: periods.map((each) => [
        plain([each.from, each.to].map((date) => day(date, language)).join(' – ')),
        plain(moment(each.closedAt, language, timeZone)),
        plain(each.closedBy),
        plain(each.sha256),
        state(each),
        ...(mayClose
          ? [each.id === last?.id ? linked(t.reopen, at(`books/periods/${each.id}/reopen`)) : plain('')]
          : []),
      ]),
      empty: t.noClosedPeriods,
    },
    ...(mayClose && { actions: [{ label: t.closePeriod, href: at('books/close'), isPrimary: true }] }),
  };
}
