import { randomUUID } from 'node:crypto';
import {
  BankLineState,
  type BankCandidate,
  type BankLine,
} from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import {
  linked,
  plain,
  type Cell,
  type FieldBlock,
  type NoticeBlock,
  type PageBlock,
  type SectionBlock,
} from '../pages/blocks';
import { day, money } from '../pages/format';
import { faultList, type Faults } from '../pages/form-request';
import type { Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import { lineState, whyText } from './bank-pages';

/** One invoice that a line is for, as it was typed. */
export interface TypedPart {
  readonly number: string;
  readonly amount: string;
}

const PARTS = 4;
/** Names of the fields of each. */
export const PART_FIELDS = Array.from({ length: PARTS }, (_, index) => ({
  number: `number.${index}`,
  amount: `amount.${index}`,
}));

const EVIDENCE: Readonly<Record<string, keyof Texts>> = {
  reference: 'evidenceReference',
  number: 'evidenceNumber',
  amount: 'evidenceAmount',
  iban: 'evidenceIban',
  name: 'evidenceName',
};
const RULES: Readonly<Record<string, keyof Texts>> = {
  reference: 'ruleReference',
  number: 'ruleNumber',
  person: 'rulePerson',
};

interface Shown {
  readonly faults: Faults;
  readonly typed?: readonly TypedPart[];
  readonly notice?: NoticeBlock | undefined;
}

/** A line with all that is known of it: what it may be for, and why; and what a person can say. */
export function linePage(place: Workplace, line: BankLine, shown: Shown): PageBlock {
  const { t, at, language } = place;
  const { state } = line;
  const isAsked = state === BankLineState.QUESTION || state === BankLineState.MONEY_OUT;
  const isUndone = state === BankLineState.BOOKED || state === BankLineState.NO_INVOICE;
  const facts: (readonly [string, Cell])[] = [
    [t.amount, plain(money(line.amountCents, line.currency, language))],
    [t.date, plain(day(line.bookedOn, language))],
    [t.bankPayer, plain([line.counterName, line.counterIban].filter(Boolean).join(' · ') || t.none)],
    [t.bankText, plain(line.text || t.none)],
    ...(line.creditorReference ? [[t.evidenceReference, plain(line.creditorReference)] as const] : []),
    [t.bankAccount, plain(line.account)],
    ...(line.rule ? [[t.bankRule, plain(t[RULES[line.rule] ?? 'none'])] as const] : []),
    [t.by, plain(line.by)],
    ...(line.note ? [[t.note, plain(line.note)] as const] : []),
  ];
  return {
    title: t.bankLine,
    state: lineState(t, line),
    back: { label: t.bank, href: at('bank') },
    notice:
      shown.faults.notice ?? shown.notice ?? (line.why ? { tone: 'warning', text: whyText(t, line.why) } : undefined),
    faults: faultList(shown.faults),
    sections: [
      { facts },
      ...(line.bookings.length > 0 ? [bookingsSection(place, line)] : []),
      ...(line.candidates.length > 0 ? [candidatesSection(place, line, isAsked)] : []),
      ...(isAsked ? answerSections(place, line, shown) : []),
      ...(isUndone ? [undoSection(place, line, shown)] : []),
    ],
  };
}

function bookingsSection({ t, at, language }: Workplace, { bookings, currency }: BankLine): SectionBlock {
  return {
    title: t.bankBookedOn,
    table: {
      caption: t.bankBookedOn,
      columns: [{ label: t.invoice }, { label: t.amount, isNumber: true }],
      rows: bookings.map(({ invoiceId, number, amountCents }) => [
        linked(number, at(`invoices/${invoiceId}`)),
        plain(money(amountCents, currency, language)),
      ]),
      empty: t.none,
    },
  };
}

function candidatesSection(place: Workplace, line: BankLine, isAsked: boolean): SectionBlock {
  const { t, at, language } = place;
  const choose = ({ invoiceId }: BankCandidate): Cell[] =>
    isAsked && line.amountCents > 0
      ? [
          {
            text: t.bankChoose,
            form: {
              ...{ action: at(`bank/lines/${line.id}/choose`), submit: t.bankChoose, tone: '' as const },
              hidden: { operation: randomUUID(), invoice: invoiceId },
            },
          },
        ]
      : [];
  const isChosen = choose(line.candidates[0]!).length > 0;
  return {
    title: t.bankCandidates,
    table: {
      caption: t.bankCandidates,
      columns: [
        { label: t.invoice },
        { label: t.openAmount, isNumber: true },
        { label: t.bankEvidence },
        ...(isChosen ? [{ label: t.bankChoose }] : []),
      ],
      rows: line.candidates.map((candidate) => [
        linked(candidate.number, at(`invoices/${candidate.invoiceId}`)),
        plain(money(candidate.openCents, line.currency, language)),
        plain(candidate.evidence.map((each) => t[EVIDENCE[each] ?? 'none']).join(', ') || t.evidencePayer),
        ...choose(candidate),
      ]),
      empty: t.none,
    },
  };
}

function answerSections({ t, at }: Workplace, { id, amountCents }: BankLine, { faults, typed }: Shown): SectionBlock[] {
  const here = at(`bank/lines/${id}`);
  const field = (name: string, label: string, value: string, more: Partial<FieldBlock>): FieldBlock => ({
    ...{ name, label, value, fault: faults.fields[name], autocomplete: 'off' },
    ...more,
  });
  const fields = PART_FIELDS.flatMap(({ number, amount }, index) => [
    field(number, `${t.bankInvoiceNumber} ${index + 1}`, typed?.[index]?.number ?? '', {
      maxLength: 60,
      isQuiet: true,
    }),
    field(amount, `${t.amount} ${index + 1}`, typed?.[index]?.amount ?? '', {
      ...{ maxLength: 30, inputMode: 'decimal', isQuiet: true },
    }),
  ]);
  const operation = randomUUID();
  return [
    ...(amountCents > 0
      ? [
          {
            title: t.bankOther,
            text: t.bankOtherText,
            forms: [{ action: `${here}/answer`, submit: t.bankBook, hidden: { operation }, isRow: true, fields }],
          },
        ]
      : []),
    {
      title: t.bankNoInvoice,
      forms: [
        {
          ...{ action: `${here}/none`, submit: t.bankNoInvoice, tone: '', hidden: { operation: randomUUID() } },
          fields: [field('note', t.reason, '', { required: true, maxLength: 500, hint: t.bankNoteHint })],
        },
      ],
    },
  ];
}

const undoSection = ({ t, at }: Workplace, { id }: BankLine, { faults }: Shown): SectionBlock => ({
  title: t.bankUndo,
  text: t.bankUndoText,
  forms: [
    {
      ...{
        action: at(`bank/lines/${id}/undo`),
        submit: t.bankUndo,
        tone: 'danger',
        hidden: { operation: randomUUID() },
      },
      fields: [
        {
          ...{ name: 'reason', label: t.reason, value: '', required: true, maxLength: 500 },
          ...{ fault: faults.fields['reason'], autocomplete: 'off' },
        },
      ],
    },
  ],
});
