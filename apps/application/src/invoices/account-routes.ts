import {
  MoveSurplusRequest,
  WriteOffReason,
  WriteOffRequest,
  type AccountEntry,
} from '@invoicing/contracts/invoicing/billing/v1/account';
import {
  InvoiceKind,
  ListedStatus,
  ListInvoicesRequest,
  type InvoiceSummary,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { notFoundError } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import { day, money } from '../pages/format';
import { idOf } from '../pages/list-request';
import { fill } from '../pages/texts';
import { centsField } from '../pages/typed-amount';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { isReversible } from './invoice-history';
import { addMoneyForm, amountField, amountOf, ofInvoice, type MoneyForm, type MoneySubject } from './money-form';

const action = 'payments.record';
/** Open invoices of the customer that a surplus can go to. */
const OTHERS = 50;

/** What a bookkeeper sets right on the account of an invoice: written off, moved, taken back. */
export const accountRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    addMoneyForm(peers, part, writeOff(peers));
    addMoneyForm(peers, part, moveSurplus(peers));
    addMoneyForm(peers, part, reverse(peers));
  };

const writeOff = ({ accounts }: Peers): MoneyForm<MoneySubject> => ({
  ...{ path: 'write-off', action, find: ofInvoice },
  title: ({ t }) => t.writeOff,
  intro: ({ t }) => t.writeOffText,
  values: ({ language }, { invoice }) => ({ amountCents: centsField(invoice.openCents, language) }),
  fields: (place, values) => {
    const { t } = place;
    return [
      amountField(place, values, { required: true }),
      {
        ...{ name: 'reason', label: t.reason, value: values['reason'] ?? 'rounding', required: true },
        options: [
          { value: 'rounding', label: t.writeOffRounding },
          { value: 'bad_debt', label: t.writeOffBadDebt },
        ],
      },
      { name: 'note', label: t.noteForBooks, value: values['note'] ?? '', maxLength: 500 },
    ];
  },
  act: ({ organizationId }, { invoice }, values, call) => {
    const reason = values['reason'] === 'bad_debt' ? WriteOffReason.BAD_DEBT : WriteOffReason.ROUNDING;
    const asked = { organizationId, invoiceId: invoice.id, amountCents: amountOf(values), reason };
    return accounts.writeOff(WriteOffRequest.fromPartial({ ...asked, note: values['note'] ?? '' }), call);
  },
});

interface Surplus extends MoneySubject {
  /** Open invoices of the same customer. */
  readonly others: readonly InvoiceSummary[];
}

const moveSurplus = ({ accounts, invoices }: Peers): MoneyForm<Surplus> => ({
  ...{ path: 'move-surplus', action },
  find: async ({ organizationId, call }, invoice) => {
    const { customerId } = invoice;
    const wanted = { organizationId, customerId, status: ListedStatus.OPEN, kind: InvoiceKind.INVOICE, limit: OTHERS };
    const found = await invoices.listInvoices(ListInvoicesRequest.fromPartial(wanted), call());
    return { invoice, others: found.invoices.filter(({ id }) => id !== invoice.id) };
  },
  title: ({ t }) => t.moveSurplus,
  intro: ({ t }, { others }) => (others.length === 0 ? t.moveSurplusNone : t.moveSurplusText),
  values: () => ({}),
  fields: (place, values, { invoice, others }) => {
    const { t, language } = place;
    const label = ({ number, openCents, dueDate }: InvoiceSummary): string =>
      `${number} · ${money(openCents, invoice.currency, language)} · ${day(dueDate, language)}`;
    return [
      {
        ...{ name: 'toInvoiceId', label: t.moveSurplusTo, value: values['toInvoiceId'] ?? '', required: true },
        options: [{ value: '', label: t.none }, ...others.map((each) => ({ value: each.id, label: label(each) }))],
      },
      amountField(place, values, { hint: t.moveSurplusHint }),
    ];
  },
  act: ({ organizationId }, { invoice }, values, call) => {
    const { toInvoiceId = '' } = values;
    const asked = {
      ...{ organizationId, invoiceId: invoice.id, toInvoiceId: isUuid(toInvoiceId) ? toInvoiceId : invoice.id },
      amountCents: values['amountCents'] === undefined ? undefined : amountOf(values),
    };
    return accounts.moveSurplus(MoveSurplusRequest.fromPartial(asked), call);
  },
});

interface Recorded extends MoneySubject {
  readonly entry: AccountEntry;
}

const reverse = ({ accounts }: Peers): MoneyForm<Recorded> => ({
  ...{ path: 'entries/:entry/reverse', action },
  find: async ({ organizationId, call }, invoice, request) => {
    const entryId = idOf(request.params['entry']);
    const { entries } = await accounts.listEntries({ organizationId, invoiceId: invoice.id }, call());
    const entry = entries.find(({ id }) => id === entryId);
    if (!entry) throw notFoundError('the entry');
    return { invoice, entry };
  },
  title: ({ t }) => t.takeBack,
  intro: ({ t, language }, { invoice, entry }) =>
    fill(t.takeBackText, {
      amount: money(entry.amountCents, invoice.currency, language),
      date: day(entry.date, language),
    }),
  // Only as it opens: a form that is sent again finds its entry taken back.
  values: (_place, { entry }) => {
    if (!isReversible(entry)) throw notFoundError('the entry');
    return {};
  },
  fields: ({ t }, values) => [
    { name: 'reason', label: t.reason, value: values['reason'] ?? '', required: true, maxLength: 500 },
  ],
  act: ({ organizationId }, { entry }, { reason = '' }, call) =>
    accounts.reverseEntry({ organizationId, entryId: entry.id, reason }, call),
});
