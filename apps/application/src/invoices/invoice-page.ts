import { InvoiceKind, InvoiceStatus, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { InvoiceAccount } from '@invoicing/contracts/invoicing/billing/v1/account';
import { vatCheckFacts } from '../catalog/vat-check-routes';
import { linked, plain, type ActionBlock, type PageBlock, type SectionBlock } from '../pages/blocks';
import { dateIn, day, money, percent } from '../pages/format';
import type { Workplace } from '../pages/visit';
import { historySection, type Happened } from './invoice-history';
import { stateCell } from './invoice-state';
import { copyForm } from './issue-routes';
import { documentLanguages } from './draft-view';

/** A document with all that is known of it. */
export interface Shown extends Happened {
  readonly invoice: Invoice;
  /** Of the customer as they are called now; undefined: nobody's. */
  readonly customer: string | undefined;
  /** Absent from drafts and credit notes. */
  readonly account?: InvoiceAccount | undefined;
}

export function invoicePage(place: Workplace, shown: Shown): PageBlock {
  const { t, language, at, timeZone } = place;
  const { invoice, account } = shown;
  const isIssued = invoice.status !== InvoiceStatus.DRAFT;
  return {
    title: invoice.number,
    state: stateCell({ ...invoice, state: account?.state }, dateIn(timeZone), t),
    back: { label: t.invoices, href: at('invoices') },
    actions: isIssued ? issuedActions(place, invoice) : draftActions(place, invoice),
    sections: [
      {
        facts: [
          [t.customer, linked(nameOf(shown) || t.none, at(`customers/${invoice.customerId}`))],
          [t.date, plain(invoice.issueDateOpen ? t.dayOfIssue : day(invoice.issueDate, language))],
          [t.dueDate, plain(invoice.dueDateOpen ? t.dueDateHint : day(invoice.dueDate, language) || t.none)],
          ...(invoice.supplyDate && invoice.supplyDate !== invoice.issueDate
            ? [[t.supplyDate, plain(day(invoice.supplyDate, language))] as const]
            : []),
          ...(invoice.period
            ? [
                [
                  t.period,
                  plain([invoice.period.from, invoice.period.to].map((each) => day(each, language)).join(' – ')),
                ] as const,
              ]
            : []),
          ...(invoice.reference ? [[t.buyerReference, plain(invoice.reference)] as const] : []),
          ...(invoice.note ? [[t.note, plain(invoice.note)] as const] : []),
          ...(invoice.language
            ? [[t.documentLanguage, plain(documentLanguages(t)[invoice.language] ?? '')] as const]
            : []),
          ...(invoice.creditedInvoiceId
            ? [[t.credits, linked(invoice.creditedNumber ?? '', at(`invoices/${invoice.creditedInvoiceId}`))] as const]
            : []),
        ],
      },
      linesSection(place, invoice),
      ...(invoice.vatCheck
        ? [
            {
              title: t.vies,
              text: t.viesFrozen,
              facts: vatCheckFacts(place, invoice.vatCheck),
              code: invoice.vatCheck.raw,
            },
          ]
        : []),
      ...(account ? [accountSection(place, account)] : []),
      ...(isIssued ? [historySection(place, invoice, shown)] : []),
      ...changesSection(place, invoice, account),
    ],
  };
}

const nameOf = ({ invoice: { buyer }, customer }: Shown): string => buyer?.companyName || buyer?.name || customer || '';

const draftActions = ({ t, at, may }: Workplace, { id }: Invoice): readonly ActionBlock[] => [
  ...(may('invoices.issue') ? [{ label: t.issueDraft, href: at(`invoices/${id}/issue`), isPrimary: true }] : []),
  ...(may('invoices.write') ? [{ label: t.edit, href: at(`invoices/${id}/edit`) }] : []),
  { label: t.previewPdf, href: at(`invoices/${id}/draft.pdf`) },
];

const issuedActions = ({ t, at }: Workplace, { id, publicUrl }: Invoice): readonly ActionBlock[] => [
  { label: t.pdf, href: at(`invoices/${id}/document.pdf`), isPrimary: true },
  { label: t.publicPage, href: publicUrl },
];

/** What this person may do with it, as it stands. */
function changesSection(place: Workplace, invoice: Invoice, account: InvoiceAccount | undefined): SectionBlock[] {
  const { t, at, may } = place;
  const here = at(`invoices/${invoice.id}`);
  const isIssued = invoice.status !== InvoiceStatus.DRAFT;
  const actions: ActionBlock[] = [
    ...(isIssued && may('invoices.issue')
      ? [
          { label: t.resend, href: `${here}/resend` },
          { label: t.postLetter, href: `${here}/post` },
        ]
      : []),
    ...(account && may('payments.record') ? accountActions(place, invoice, account) : []),
    ...(account && account.paidCents > account.refundedCents && may('refunds.create')
      ? [{ label: t.refund, href: `${here}/refund` }]
      : []),
    ...(account && account.creditedCents < account.totalCents && may('invoices.credit')
      ? [{ label: t.credit, href: `${here}/credit` }]
      : []),
    ...(!isIssued && may('invoices.write') ? [{ label: t.deleteDraft, href: `${here}/delete` }] : []),
  ];
  const forms = may('invoices.write') && invoice.kind === InvoiceKind.INVOICE ? [copyForm(place, invoice.id)] : [];
  return actions.length + forms.length === 0 ? [] : [{ title: t.changes, actions, forms }];
}

/** What a bookkeeper records on its account. */
const accountActions = ({ t, at }: Workplace, { id }: Invoice, account: InvoiceAccount): ActionBlock[] => [
  { label: t.recordPayment, href: at(`invoices/${id}/payment`) },
  ...(account.openCents > 0
    ? [
        { label: t.writeOff, href: at(`invoices/${id}/write-off`) },
        { label: t.remindNoMore, href: `${at('reminders/except')}?invoice=${id}` },
      ]
    : []),
  ...(account.surplusCents > 0 ? [{ label: t.moveSurplus, href: at(`invoices/${id}/move-surplus`) }] : []),
];

/** The lines and what they add up to. */
export function linesSection(
  { t, language }: Workplace,
  { lines, totals, currency }: Pick<Invoice, 'lines' | 'totals' | 'currency'>,
): SectionBlock {
  const amount = (cents: number): string => money(cents, currency, language);
  return {
    title: t.lines,
    table: {
      caption: t.lines,
      columns: [
        { label: t.description },
        { label: t.quantity, isNumber: true },
        { label: t.unitPrice, isNumber: true },
        { label: t.amount, isNumber: true },
      ],
      rows: lines.map((line) => [
        plain(`${line.description}${line.discountBps ? ` (−${percent(line.discountBps, language)})` : ''}`),
        plain(`${line.quantity}${line.unit ? ` ${line.unit}` : ''}`),
        plain(amount(line.unitPriceCents)),
        plain(amount(line.grossCents ?? line.netCents)),
      ]),
      empty: t.none,
    },
    facts: [
      [t.totalExcl, plain(amount(totals?.exclCents ?? 0))],
      ...(totals?.groups ?? []).map(
        ({ rateBps, baseCents, vatCents }) =>
          [`${t.vat} ${percent(rateBps, language)} ${t.over} ${amount(baseCents)}`, plain(amount(vatCents))] as const,
      ),
      [t.totalIncl, plain(amount(totals?.inclCents ?? 0))],
    ],
  };
}

/** What is open, and why: the whole amount, and what came off it. */
function accountSection({ t, language }: Workplace, account: InvoiceAccount): SectionBlock {
  const amount = (cents: number): string => money(cents, account.currency, language);
  const rows: readonly (readonly [string, number])[] = [
    [t.paidTotal, account.paidCents],
    [t.creditedTotal, account.creditedCents],
    [t.refundedTotal, account.refundedCents],
    [t.chargedBackTotal, account.chargedBackCents],
    [t.writtenOffTotal, account.writtenOffCents],
    [t.surplus, account.surplusCents],
  ];
  return {
    title: t.accountTitle,
    facts: [
      [t.totalIncl, plain(amount(account.totalCents))],
      ...rows.filter(([, cents]) => cents !== 0).map(([label, cents]) => [label, plain(amount(cents))] as const),
      [t.openAmount, plain(amount(account.openCents))],
    ],
  };
}
