import {
  BankLineState,
  type BankLine,
  type BankStatement,
  type ImportStatementResponse,
  type ListBankLinesResponse,
  type ListBankStatementsResponse,
  type StatementGap,
} from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import {
  linked,
  plain,
  type Cell,
  type NoticeBlock,
  type PageBlock,
  type SectionBlock,
  type TableBlock,
} from '../pages/blocks';
import { day, money } from '../pages/format';
import { faultList, type Faults } from '../pages/form-request';
import { fill, type Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';

/** What a list of lines is narrowed to, in the words of its address; the questions come first. */
const STATES: Readonly<Record<string, readonly [BankLineState, keyof Texts]>> = {
  question: [BankLineState.QUESTION, 'bankQuestions'],
  booked: [BankLineState.BOOKED, 'bankBooked'],
  'no-invoice': [BankLineState.NO_INVOICE, 'bankNoInvoice'],
  'money-out': [BankLineState.MONEY_OUT, 'bankMoneyOut'],
  all: [BankLineState.UNSPECIFIED, 'all'],
};

export function stateOf(asked: unknown): { readonly name: string; readonly value: BankLineState } {
  const name = typeof asked === 'string' && Object.hasOwn(STATES, asked) ? asked : 'question';
  return { name, value: STATES[name]![0] };
}

const LABELS: Readonly<Record<string, readonly [keyof Texts, Cell['tone']]>> = {
  [BankLineState.BOOKING]: ['bankBooking', 'plain'],
  [BankLineState.BOOKED]: ['bankBooked', 'good'],
  [BankLineState.QUESTION]: ['bankQuestion', 'warning'],
  [BankLineState.UNDOING]: ['bankBooking', 'plain'],
  [BankLineState.NO_INVOICE]: ['bankNoInvoice', 'plain'],
  [BankLineState.MONEY_OUT]: ['bankMoneyOut', 'plain'],
};

export function lineState(t: Texts, { state }: BankLine): Cell {
  const [label, tone] = LABELS[state] ?? ['none', 'plain'];
  return { text: t[label], tone };
}

const WHY: Readonly<Record<string, keyof Texts>> = {
  names_nothing: 'whyNamesNothing',
  names_several: 'whyNamesSeveral',
  not_open: 'whyNotOpen',
  amount_differs: 'whyAmountDiffers',
  payer_unknown: 'whyPayerUnknown',
  similar_number: 'whySimilarNumber',
  namesake: 'whyNamesake',
  foreign_currency: 'whyForeignCurrency',
  money_out: 'whyMoneyOut',
  reversal: 'whyReversal',
  batch: 'whyBatch',
  changed_meanwhile: 'whyChanged',
  undone: 'whyUndone',
};

/** Why a line is a question, for people. */
export const whyText = (t: Texts, why: string): string => (WHY[why] ? t[WHY[why]] : why);

interface ShownLines {
  readonly lines: readonly BankLine[];
  readonly cursor: string | undefined;
  readonly gaps: readonly StatementGap[];
  readonly notice: NoticeBlock | undefined;
  readonly state: string;
}

export function bankPage(place: Workplace, { lines, cursor, gaps, notice, state }: ShownLines): PageBlock {
  const { t, at } = place;
  const empty = state === 'question' ? t.noBankQuestions : t.nothingFits;
  return {
    title: t.bank,
    intro: t.bankIntro,
    notice: notice ?? gapNotice(place, gaps),
    actions: [
      { label: t.bankImport, href: at('bank/import'), isPrimary: true },
      { label: t.bankStatements, href: at('bank/statements') },
    ],
    sections: [
      {
        isFormFirst: true,
        forms: [
          {
            ...{ action: at('bank'), method: 'get', submit: t.filter, tone: '', isRow: true },
            fields: [
              {
                ...{ name: 'state', label: t.state, value: state, isQuiet: true },
                options: Object.entries(STATES).map(([value, [, label]]) => ({ value, label: t[label] })),
              },
            ],
          },
        ],
        table: { ...linesTable(place, lines), empty },
        actions:
          cursor === undefined
            ? []
            : [{ label: t.older, href: `${at('bank')}?${new URLSearchParams({ state, cursor }).toString()}` }],
      },
    ],
  };
}

function linesTable({ t, at, language }: Workplace, lines: readonly BankLine[]): TableBlock {
  return {
    caption: t.bank,
    columns: [
      { label: t.date },
      { label: t.bankPayer },
      { label: t.amount, isNumber: true },
      { label: t.bankText },
      { label: t.state },
      { label: t.details },
    ],
    rows: lines.map((line) => [
      linked(day(line.bookedOn, language), at(`bank/lines/${line.id}`)),
      plain(line.counterName || line.counterIban || t.none),
      plain(money(line.amountCents, line.currency, language)),
      plain(line.text || t.none),
      lineState(t, line),
      plain(line.why ? whyText(t, line.why) : line.bookings.map(({ number }) => number).join(', ') || t.none),
    ]),
    empty: t.none,
  };
}

/** A statement that is missing is said on every page of the bank: money may stand on it. */
function gapNotice({ t, language }: Workplace, gaps: readonly StatementGap[]): NoticeBlock | undefined {
  const [gap] = gaps;
  if (!gap) return undefined;
  const { account, after, before } = gap;
  const values = { account, after: day(after, language), before: day(before, language) };
  return { tone: 'warning', title: t.bankGapTitle, text: fill(t.bankGap, values) };
}

export function importPage({ t, at }: Workplace, faults: Faults, operation: string): PageBlock {
  return {
    title: t.bankImport,
    intro: t.bankImportIntro,
    back: { label: t.bank, href: at('bank') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            ...{
              action: at('bank/import'),
              submit: t.bankImport,
              cancel: at('bank'),
              hasFile: true,
              hidden: { operation },
            },
            fields: [
              {
                ...{ name: 'file', label: t.bankFile, type: 'file', value: '', required: true, hint: t.bankFileHint },
                ...{ accept: '.xml,.sta,.940,.mt940,.txt,.csv,.tab', fault: faults.fields['file'] },
              },
            ],
          },
        ],
      },
    ],
  };
}

/** What an import did; or, while it is going on, the lines that it brought so far. */
export function importedPage(
  place: Workplace,
  importId: string,
  done: ImportStatementResponse | ListBankLinesResponse,
): PageBlock {
  const { t, at } = place;
  const page = { title: t.bankImported, back: { label: t.bank, href: at('bank') } };
  if (!('statements' in done))
    return {
      ...page,
      notice: { tone: 'plain', text: t.bankImportGoesOn },
      actions: [{ label: t.bankLookAgain, href: at(`bank/imports/${importId}`), isPrimary: true }],
      sections: [{ title: t.bankLines, table: linesTable(place, done.lines) }],
    };
  const counts: readonly (readonly [string, number])[] = [
    [t.bankLines, done.lines],
    [t.bankBooked, done.booked],
    [t.bankQuestions, done.questions],
    [t.bankKnown, done.duplicates],
    [t.bankMoneyOut, done.moneyOut],
  ];
  return {
    ...page,
    notice: gapNotice(place, done.gaps) ?? { tone: 'good', text: t.done },
    actions: [
      ...(done.questions > 0 ? [{ label: t.bankAnswer, href: at('bank'), isPrimary: true }] : []),
      { label: t.bankLines, href: at(`bank/imports/${importId}`) },
    ],
    sections: [
      { facts: counts.map(([label, count]) => [label, plain(String(count))] as const) },
      statementsSection(place, done.statements),
    ],
  };
}

export function statementsPage(place: Workplace, { statements, gaps }: ListBankStatementsResponse): PageBlock {
  const { t, at, currency, language } = place;
  const amount = (cents: number): Cell => plain(money(cents, currency, language));
  const gapSection: SectionBlock = {
    title: t.bankGapTitle,
    text: t.bankGapText,
    table: {
      caption: t.bankGapTitle,
      columns: [
        { label: t.bankAccount },
        { label: t.bankGapAfter },
        { label: t.bankGapBefore },
        { label: t.bankExpected, isNumber: true },
        { label: t.bankFound, isNumber: true },
      ],
      rows: gaps.map(({ account, after, before, expectedCents, foundCents }) => [
        plain(account),
        plain(day(after, language)),
        plain(day(before, language)),
        amount(expectedCents),
        amount(foundCents),
      ]),
      empty: t.none,
    },
  };
  return {
    title: t.bankStatements,
    back: { label: t.bank, href: at('bank') },
    actions: [{ label: t.bankImport, href: at('bank/import'), isPrimary: true }],
    sections: [...(gaps.length > 0 ? [gapSection] : []), statementsSection(place, statements)],
  };
}

function statementsSection({ t, currency, language }: Workplace, statements: readonly BankStatement[]): SectionBlock {
  const amount = (cents: number | undefined): Cell =>
    plain(cents === undefined ? t.none : money(cents, currency, language));
  return {
    title: t.bankStatements,
    table: {
      caption: t.bankStatements,
      columns: [
        { label: t.bankAccount },
        { label: t.period },
        { label: t.bankLines, isNumber: true },
        { label: t.bankOpening, isNumber: true },
        { label: t.bankClosing, isNumber: true },
        { label: t.bankFits },
      ],
      rows: statements.map((each) => [
        plain([each.account, each.number].filter(Boolean).join(' · ')),
        plain([each.from, each.to].map((date) => day(date, language)).join(' – ')),
        plain(String(each.lineCount)),
        amount(each.openingCents),
        amount(each.closingCents),
        fitsCell(t, each.fits),
      ]),
      empty: t.noBankStatements,
    },
  };
}

function fitsCell(t: Texts, fits: boolean | undefined): Cell {
  if (fits === undefined) return plain(t.none);
  return fits ? { text: t.yes, tone: 'good' } : { text: t.no, tone: 'bad' };
}
