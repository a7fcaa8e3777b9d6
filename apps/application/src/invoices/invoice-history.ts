import { EntryProgress, EntryType, type AccountEntry } from '@invoicing/contracts/invoicing/billing/v1/account';
import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { Letter, MailMessage } from '@invoicing/contracts/invoicing/notification/v1/notification';
import type { PeppolDelivery } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { linked, plain, type Cell, type SectionBlock } from '../pages/blocks';
import { day, moment, money } from '../pages/format';
import { fill, type Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';

/** What became of a document, as far as it is known; undefined: whoever knows cannot be asked just now. */
export interface Happened {
  readonly entries: readonly AccountEntry[];
  readonly mails: readonly MailMessage[] | undefined;
  readonly letters: readonly Letter[] | undefined;
  readonly peppol: readonly PeppolDelivery[] | undefined;
}

interface Step {
  readonly at: Date | undefined;
  readonly what: string;
  readonly more: string;
  readonly tone?: Cell['tone'];
  readonly cents?: number;
  /** Where it is taken back. */
  readonly undo?: string | undefined;
}

/** A provider's money is reversed by the provider, and a credit note is a document: what a person recorded a person takes back. */
export const isReversible = ({ type, provider, progress }: AccountEntry): boolean =>
  progress === EntryProgress.DONE &&
  (type === EntryType.WRITE_OFF ||
    ([EntryType.PAYMENT, EntryType.REFUND].includes(type) && ['bank', 'cash'].includes(provider)));

const ENTRY_WORDS: Readonly<Record<string, keyof Texts>> = {
  ENTRY_TYPE_PAYMENT: 'entryPayment',
  ENTRY_TYPE_REFUND: 'entryRefund',
  ENTRY_TYPE_CHARGEBACK: 'entryChargeback',
  ENTRY_TYPE_CREDIT: 'entryCredit',
  ENTRY_TYPE_WRITE_OFF: 'entryWriteOff',
  ENTRY_TYPE_REVERSAL: 'entryReversal',
};

/** The life of a document, oldest first: made, issued, sent, paid, credited. */
export function historySection(place: Workplace, invoice: Invoice, happened: Happened): SectionBlock {
  const { t, language, timeZone } = place;
  const { currency } = invoice;
  const steps = [
    ...madeAndIssued(t, invoice),
    ...happened.entries.map((entry) => entryStep(place, invoice, entry)),
    ...(happened.mails ?? []).map((mail) => mailStep(t, mail)),
    ...(happened.letters ?? []).map((letter) => letterStep(t, letter)),
    ...(happened.peppol ?? []).map((delivery) => peppolStep(t, delivery)),
  ].sort((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0));
  const isWhole = [happened.mails, happened.letters, happened.peppol].every((known) => known !== undefined);
  const hasUndo = steps.some(({ undo }) => undo !== undefined);
  return {
    id: 'history',
    title: t.entries,
    ...(!isWhole && { text: t.mailUnknown }),
    table: {
      caption: t.entries,
      columns: [
        ...[{ label: t.when }, { label: t.action }, { label: t.details }, { label: t.amount, isNumber: true }],
        ...(hasUndo ? [{ label: t.change }] : []),
      ],
      rows: steps.map(({ at, what, more, tone, cents, undo }) => [
        plain(moment(at, language, timeZone)),
        { text: what, tone },
        plain(more || t.none),
        plain(cents === undefined ? '' : money(cents, currency, language)),
        ...(hasUndo ? [undo === undefined ? plain('') : linked(t.takeBack, undo)] : []),
      ]),
      empty: t.noEntries,
    },
  };
}

const madeAndIssued = (t: Texts, { createdAt, issuedAt, number, creditedNumber }: Invoice): Step[] => [
  ...(creditedNumber ? [] : [{ at: createdAt, what: t.stepMade, more: '' }]),
  ...(issuedAt
    ? [{ at: issuedAt, what: t.stepIssued, more: [number, creditedNumber].filter(Boolean).join(' ← ') }]
    : []),
];

function entryStep({ t, language, at: to, may }: Workplace, invoice: Invoice, entry: AccountEntry): Step {
  const { at, type, amountCents, number, reference, reason, provider, method, date, by } = entry;
  const byHand: Readonly<Record<string, string>> = { bank: t.methodBank, cash: t.methodCash };
  const through = byHand[provider] ?? [provider, method].filter(Boolean).join(' ');
  const said = [day(date, language), through, number, reference, reason, by].filter(Boolean);
  const mayUndo = may('payments.record') && isReversible(entry);
  return {
    ...{ at, what: t[ENTRY_WORDS[type] ?? 'none'], more: [...new Set(said)].join(' · '), cents: amountCents },
    undo: mayUndo ? to(`invoices/${invoice.id}/entries/${entry.id}/reverse`) : undefined,
  };
}

function mailStep(t: Texts, { at, to, status, error, reason }: MailMessage): Step {
  const word = { sent: t.mailSent, failed: t.mailFailed }[status] ?? t.mailPending;
  return { at, what: word, more: [to, error, reason].filter(Boolean).join(' · '), tone: toneOf(status) };
}

function letterStep(t: Texts, { at, status, error }: Letter): Step {
  const word = { sent: t.letterSent, submitted: t.letterSubmitted, failed: t.letterFailed }[status] ?? t.letterPending;
  return { at, what: word, more: error ? fill(t.because, { reason: error }) : '', tone: toneOf(status) };
}

function peppolStep(t: Texts, { at, status, recipient, reason, deliveredAt, submittedAt }: PeppolDelivery): Step {
  const words: Readonly<Partial<Record<string, string>>> = {
    submitted: t.peppolSubmitted,
    delivered: t.peppolDelivered,
    failed: t.peppolFailed,
    skipped: t.peppolSkipped,
  };
  const more = [recipient, reason].filter(Boolean).join(' · ');
  return { at: deliveredAt ?? submittedAt ?? at, what: words[status] ?? t.peppolPending, more, tone: toneOf(status) };
}

const toneOf = (status: string): Cell['tone'] =>
  (({ failed: 'bad', sent: 'good', delivered: 'good' })[status] as Cell['tone']) ?? 'plain';
