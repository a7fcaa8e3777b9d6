import {
  DocumentFormat,
  InvoiceKind,
  InvoiceStatus,
  type Invoice,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { DraftFormat } from '@invoicing/contracts/invoicing/billing/v1/previews';
import type { InvoiceAccount, AccountEntry } from '@invoicing/contracts/invoicing/billing/v1/account';
import { doneNotice, idOf } from '../pages/list-request';
import { plain, type ActionBlock, type PageBlock, type SectionBlock } from '../pages/blocks';
import { day, money, percent } from '../pages/format';
import type { Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { dateIn, stateCell } from './invoice-state';
import { copyForm } from './issue-routes';
import { invoiceTable, newestInvoices } from './invoice-table';

const LISTED = 50;

/** The list of invoices, and one of them: its account and its document. */
export const invoiceRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    part.get('/invoices', async (place, _request, response) => {
      const table = await invoiceTable(peers, place, await newestInvoices(peers, place, LISTED));
      const { t, at } = place;
      const actions = place.may('invoices.write')
        ? [{ label: t.newInvoice, href: at('invoices/new'), isPrimary: true }]
        : [];
      show(response, place, { title: t.invoices, actions, sections: [{ table }] });
    });

    part.get('/invoices/:id', async (place, request, response) => {
      const invoiceId = idOf(request.params['id']);
      const { organizationId } = place;
      const invoice = await peers.invoices.getInvoice({ organizationId, invoiceId }, place.call());
      // A credit note is an entry in the account of what it credits.
      const hasAccount = invoice.status !== InvoiceStatus.DRAFT && invoice.kind === InvoiceKind.INVOICE;
      const books = hasAccount
        ? await peers.accounts.listEntries({ organizationId, invoiceId }, place.call())
        : { entries: [], account: undefined };
      const page = invoicePage(place, invoice, books.account, books.entries);
      const notice =
        request.query['issued'] === 'yes' ? { tone: 'warning' as const, text: place.t.issuedMeanwhile } : undefined;
      show(response, place, { ...page, notice: notice ?? doneNotice(request, place.t) });
    });

    // The suffix gives the gateway more patience: documents are made when they are first asked for.
    part.get('/invoices/:id/document.pdf', async (place, request, response) => {
      const invoiceId = idOf(request.params['id']);
      const asked = { organizationId: place.organizationId, invoiceId, format: DocumentFormat.PDF };
      const { content, contentType, fileName } = await peers.invoices.renderInvoice(asked, place.call());
      response.attachment(fileName).type(contentType).send(Buffer.from(content));
    });

    for (const [path, format] of [
      ['draft.pdf', DraftFormat.PDF],
      ['draft.svg', DraftFormat.SVG],
    ] as const)
      part.get(`/invoices/:id/${path}`, async (place, request, response) => {
        const { organizationId } = place;
        const asked = { organizationId, invoiceId: idOf(request.params['id']), format };
        const { content, contentType, fileName } = await peers.previews.renderDraft(asked, place.call());
        if (format === DraftFormat.PDF) response.attachment(fileName);
        response.type(contentType).send(Buffer.from(content));
      });
  };

function invoicePage(
  place: Workplace,
  invoice: Invoice,
  account: InvoiceAccount | undefined,
  entries: readonly AccountEntry[],
): PageBlock {
  const { t, language, at, timeZone } = place;
  const isIssued = invoice.status !== InvoiceStatus.DRAFT;
  const { buyer } = invoice;
  return {
    title: invoice.number,
    state: stateCell(invoice, dateIn(timeZone), t),
    back: { label: t.invoices, href: at('invoices') },
    actions: isIssued ? issuedActions(place, invoice) : draftActions(place, invoice),
    sections: [
      {
        facts: [
          [t.customer, plain(buyer?.companyName || buyer?.name || t.none)],
          [t.date, plain(day(invoice.issueDate, language))],
          [t.dueDate, plain(day(invoice.dueDate, language) || t.none)],
          ...(invoice.reference ? [[t.buyerReference, plain(invoice.reference)] as const] : []),
          ...(invoice.note ? [[t.note, plain(invoice.note)] as const] : []),
        ],
      },
      linesSection(place, invoice),
      ...(account ? [accountSection(place, account), entriesSection(place, account, entries)] : []),
      ...changesSection(place, invoice, account),
    ],
  };
}

const draftActions = ({ t, at, may }: Workplace, { id }: Invoice): readonly ActionBlock[] => [
  ...(may('invoices.issue') ? [{ label: t.issueDraft, href: at(`invoices/${id}/issue`), isPrimary: true }] : []),
  ...(may('invoices.write') ? [{ label: t.edit, href: at(`invoices/${id}/edit`) }] : []),
];

const issuedActions = ({ t, at }: Workplace, { id, publicUrl }: Invoice): readonly ActionBlock[] => [
  { label: t.pdf, href: at(`invoices/${id}/document.pdf`), isPrimary: true },
  { label: t.publicPage, href: publicUrl },
];

/** What this person may do with it, as it stands. */
function changesSection(place: Workplace, invoice: Invoice, account: InvoiceAccount | undefined): SectionBlock[] {
  const { t, at, may } = place;
  const here = at(`invoices/${invoice.id}`);
  const actions: ActionBlock[] = [
    ...(account && may('payments.record') ? [{ label: t.recordPayment, href: `${here}/payment` }] : []),
    ...(account && account.paidCents > account.refundedCents && may('refunds.create')
      ? [{ label: t.refund, href: `${here}/refund` }]
      : []),
    ...(account && account.creditedCents < account.totalCents && may('invoices.credit')
      ? [{ label: t.credit, href: `${here}/credit` }]
      : []),
    ...(invoice.status === InvoiceStatus.DRAFT && may('invoices.write')
      ? [{ label: t.deleteDraft, href: `${here}/delete` }]
      : []),
  ];
  const forms = may('invoices.write') && invoice.kind === InvoiceKind.INVOICE ? [copyForm(place, invoice.id)] : [];
  return actions.length + forms.length === 0 ? [] : [{ title: t.changes, actions, forms }];
}

function linesSection({ t, language }: Workplace, { lines, totals, currency }: Invoice): SectionBlock {
  const amount = (cents: number): string => money(cents, currency, language);
  return {
    title: t.lines,
    table: {
      caption: t.lines,
      columns: [
        { label: t.description },
        { label: t.quantity, isNumber: true },
        { label: t.price, isNumber: true },
        { label: t.amount, isNumber: true },
      ],
      rows: lines.map((line) => [
        plain(line.description),
        plain(`${line.quantity}${line.unit ? ` ${line.unit}` : ''}`),
        plain(amount(line.unitPriceCents)),
        plain(amount(line.netCents)),
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

const ENTRY_WORDS: Readonly<Record<string, keyof Texts>> = {
  ENTRY_TYPE_PAYMENT: 'entryPayment',
  ENTRY_TYPE_REFUND: 'entryRefund',
  ENTRY_TYPE_CHARGEBACK: 'entryChargeback',
  ENTRY_TYPE_CREDIT: 'entryCredit',
  ENTRY_TYPE_WRITE_OFF: 'entryWriteOff',
  ENTRY_TYPE_REVERSAL: 'entryReversal',
};

function entriesSection(
  { t, language }: Workplace,
  { currency }: InvoiceAccount,
  entries: readonly AccountEntry[],
): SectionBlock {
  return {
    title: t.entries,
    table: {
      caption: t.entries,
      columns: [{ label: t.date }, { label: t.action }, { label: t.reference }, { label: t.amount, isNumber: true }],
      rows: entries.map((entry) => [
        plain(day(entry.date, language)),
        plain(t[ENTRY_WORDS[entry.type] ?? 'none']),
        plain([entry.number, entry.reference, entry.reason].filter(Boolean).join(' · ') || t.none),
        plain(money(entry.amountCents, currency, language)),
      ]),
      empty: t.noEntries,
    },
  };
}
