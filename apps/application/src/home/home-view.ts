import type { Overview } from '@invoicing/contracts/invoicing/billing/v1/overview';
import type { InvoiceSummary } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { invoiceTable } from '../invoices/invoice-table';
import { linked, plain, type Cell, type PageBlock, type SectionBlock } from '../pages/blocks';
import { money, monthName } from '../pages/format';
import { fill } from '../pages/texts';
import type { Workplace } from '../pages/visit';

/** What the other services say; undefined: they cannot be asked just now, or this person may not. */
export interface HomeFacts {
  readonly overview: Overview;
  readonly failedMails: readonly { readonly invoiceId: string; readonly to: string }[] | undefined;
  readonly failedLetters: readonly { readonly invoiceId: string }[] | undefined;
  readonly failedPeppol: readonly { readonly invoiceId: string; readonly reason: string }[] | undefined;
  readonly failingWebhooks: number | undefined;
  /** How many, or `20+`. */
  readonly bankQuestions: string;
  readonly onboarding: SectionBlock | undefined;
}

export function homePage(place: Workplace, facts: HomeFacts): PageBlock {
  const { t, at } = place;
  const { overview } = facts;
  const mayWrite = place.may('invoices.write');
  return {
    title: place.name,
    actions: mayWrite ? [{ label: t.newInvoice, href: at('invoices/new'), isPrimary: true }] : [],
    sections: [
      ...(facts.onboarding ? [facts.onboarding] : []),
      todoSection(place, facts),
      ...(overview.hasIssued ? [moneySection(place, overview)] : []),
      { title: t.latestInvoices, table: invoiceTable(place, overview.newest) },
    ],
  };
}

/** What needs a person, with where to do it. */
function todoSection(place: Workplace, facts: HomeFacts): SectionBlock {
  const { t, at, language } = place;
  const { overview } = facts;
  const amount = (cents: number): string => money(cents, overview.currency, language);
  const rows: Cell[][] = [];
  const add = (count: number, label: string, href: string, more: Cell): void => {
    if (count > 0) rows.push([linked(fill(label, { count: String(count) }), href), more]);
  };
  add(overview.overdueCount, t.todoOverdue, `${at('invoices')}?status=overdue`, plain(amount(overview.overdueCents)));
  add(overview.draftCount, t.todoDrafts, `${at('invoices')}?status=draft`, plain(named(overview.drafts)));
  add(overview.overpaidCount, t.todoOverpaid, `${at('invoices')}?status=overpaid`, plain(named(overview.overpaid)));
  if (facts.bankQuestions !== '0')
    rows.push([linked(fill(t.todoBank, { count: facts.bankQuestions }), at('bank')), plain(t.bankQuestions)]);
  for (const { invoiceId, to } of facts.failedMails ?? [])
    add(1, t.todoMail, at(`invoices/${invoiceId}#history`), { text: to, tone: 'bad' });
  for (const { invoiceId } of facts.failedLetters ?? [])
    add(1, t.todoLetter, at(`invoices/${invoiceId}#history`), { text: t.letterFailed, tone: 'bad' });
  for (const { invoiceId, reason } of facts.failedPeppol ?? [])
    add(1, t.todoPeppol, at(`invoices/${invoiceId}#history`), { text: reason || t.peppolFailed, tone: 'bad' });
  add(facts.failingWebhooks ?? 0, t.todoWebhooks, at('webhooks'), { text: t.stateDisabled, tone: 'bad' });
  const isUnknown = [facts.failedMails, facts.failedLetters, facts.failedPeppol].includes(undefined);
  return {
    title: t.todo,
    ...(isUnknown && { text: t.mailUnknown }),
    table: {
      caption: t.todo,
      columns: [{ label: t.todoWhat }, { label: t.details }],
      rows,
      empty: t.todoNothing,
    },
    facts: [
      [t.openAmount, linked(amount(overview.openCents), `${at('invoices')}?status=open`)],
      ...(overview.isPartial ? [[t.counted, plain(t.countedNewest)] as const] : []),
    ],
  };
}

const named = (documents: readonly InvoiceSummary[]): string =>
  [...new Set(documents.map(({ customerName }) => customerName).filter(Boolean))].join(', ');

/** The money of the last months, as a picture and as its table. */
function moneySection({ t, language }: Workplace, { months, currency }: Overview): SectionBlock {
  const amount = (cents: number): string => money(cents, currency, language);
  return {
    title: t.moneyTitle,
    chart: {
      title: t.moneyTitle,
      legend: [t.moneyIn, t.moneyOut],
      bars: months.map(({ month, inCents, outCents }) => ({
        label: monthName(month, 'short', language),
        values: [inCents, outCents],
      })),
    },
    isTableFolded: true,
    table: {
      caption: t.moneyTitle,
      columns: [{ label: t.month }, { label: t.moneyIn, isNumber: true }, { label: t.moneyOut, isNumber: true }],
      rows: months.map(({ month, inCents, outCents }) => [
        plain(monthName(month, 'long', language)),
        plain(amount(inCents)),
        plain(amount(outCents)),
      ]),
      empty: t.none,
    },
  };
}
