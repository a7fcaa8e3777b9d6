import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import {
  MoveSurplusRequest,
  WriteOffReason,
  WriteOffRequest,
  type AccountEntry,
  type InvoiceAccount,
} from '@invoicing/contracts/invoicing/billing/v1/account';
import {
  InvoiceKind,
  ListedStatus,
  ListInvoicesRequest,
  type Invoice,
  type InvoiceSummary,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { notFoundError } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import type { PageBlock } from '../pages/blocks';
import { day, money } from '../pages/format';
import { filledFields, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { fill } from '../pages/texts';
import { centsField } from '../pages/typed-amount';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findInvoice } from './find-invoice';
import { isReversible } from './invoice-history';
import { amountOf, moneyPage } from './payment-routes';

const ACTION = 'payments.record';
/** Open invoices of the customer that a surplus can go to. */
const OTHERS = 50;
const NAMES = ['amountCents', 'reason', 'note', 'toInvoiceId'] as const;

type Values = Partial<Record<(typeof NAMES)[number], string>>;

/** What a bookkeeper sets right on the account of an invoice: written off, moved, taken back. */
export const accountRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    writeOff(peers, part);
    moveSurplus(peers, part);
    reverse(peers, part);
  };

function writeOff(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/write-off',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const values = { amountCents: centsField(invoice.openCents, place.language) };
      show(response, place, writeOffPage(place, invoice, values, noFaults, randomUUID()));
    },
    ACTION,
  );

  part.post(
    '/invoices/:id/write-off',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const operation = operationOf(request);
      const values = filledFields(request, NAMES);
      return submit(
        place,
        response,
        async () => {
          const { organizationId } = place;
          await peers.accounts.writeOff(
            WriteOffRequest.fromPartial({
              ...{ organizationId, invoiceId: invoice.id, amountCents: amountOf(values), note: values.note ?? '' },
              reason: values.reason === 'bad_debt' ? WriteOffReason.BAD_DEBT : WriteOffReason.ROUNDING,
            }),
            place.call(operation),
          );
          return `${place.at(`invoices/${invoice.id}`)}?done=yes`;
        },
        (faults) => show(response, place, writeOffPage(place, invoice, values, faults, operation), response.statusCode),
      );
    },
    ACTION,
  );
}

function moveSurplus(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/move-surplus',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      show(
        response,
        place,
        await movePage(peers, place, invoice, { values: {}, faults: noFaults, operation: randomUUID() }),
      );
    },
    ACTION,
  );

  part.post(
    '/invoices/:id/move-surplus',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const operation = operationOf(request);
      const values = filledFields(request, NAMES);
      return submit(
        place,
        response,
        async () => {
          const { organizationId } = place;
          const { toInvoiceId = '' } = values;
          await peers.accounts.moveSurplus(
            MoveSurplusRequest.fromPartial({
              ...{ organizationId, invoiceId: invoice.id, toInvoiceId: isUuid(toInvoiceId) ? toInvoiceId : invoice.id },
              amountCents: values.amountCents === undefined ? undefined : amountOf(values),
            }),
            place.call(operation),
          );
          return `${place.at(`invoices/${invoice.id}`)}?done=yes`;
        },
        async (faults) =>
          show(
            response,
            place,
            await movePage(peers, place, invoice, { values, faults, operation }),
            response.statusCode,
          ),
      );
    },
    ACTION,
  );
}

function reverse(peers: Peers, part: Part): void {
  const find = async (
    place: Workplace,
    request: Request,
  ): Promise<[Invoice, AccountEntry, InvoiceAccount | undefined]> => {
    const invoice = await findInvoice(peers, place, request);
    const { organizationId } = place;
    const { entries, account } = await peers.accounts.listEntries(
      { organizationId, invoiceId: invoice.id },
      place.call(),
    );
    const entryId = idOf(request.params['entry']);
    const entry = entries.find(({ id }) => id === entryId);
    if (!entry) throw notFoundError('the entry');
    return [invoice, entry, account];
  };

  part.get(
    '/invoices/:id/entries/:entry/reverse',
    async (place, request, response) => {
      const [invoice, entry] = await find(place, request);
      if (!isReversible(entry)) throw notFoundError('the entry');
      show(response, place, reversePage(place, invoice, entry, noFaults, randomUUID()));
    },
    ACTION,
  );

  part.post(
    '/invoices/:id/entries/:entry/reverse',
    async (place, request, response) => {
      const [invoice, entry] = await find(place, request);
      const operation = operationOf(request);
      return submit(
        place,
        response,
        async () => {
          const { organizationId } = place;
          const asked = { organizationId, entryId: entry.id, reason: fieldOf(request, 'reason') };
          await peers.accounts.reverseEntry(asked, place.call(operation));
          return `${place.at(`invoices/${invoice.id}`)}?done=yes`;
        },
        (faults) => show(response, place, reversePage(place, invoice, entry, faults, operation), response.statusCode),
      );
    },
    ACTION,
  );
}

function writeOffPage(
  place: Workplace,
  invoice: Invoice,
  values: Values,
  faults: Faults,
  operation: string,
): PageBlock {
  const { t } = place;
  const page = { title: t.writeOff, intro: t.writeOffText, path: 'write-off', submit: t.writeOff };
  return moneyPage(place, invoice, faults, page, operation, [
    {
      ...{ name: 'amountCents', label: t.amount, value: values.amountCents ?? '', required: true },
      ...{ inputMode: 'decimal', maxLength: 30 },
    },
    {
      ...{ name: 'reason', label: t.reason, value: values.reason ?? 'rounding', required: true },
      options: [
        { value: 'rounding', label: t.writeOffRounding },
        { value: 'bad_debt', label: t.writeOffBadDebt },
      ],
    },
    { name: 'note', label: t.noteForBooks, value: values.note ?? '', maxLength: 500 },
  ]);
}

interface Moving {
  readonly values: Values;
  readonly faults: Faults;
  readonly operation: string;
}

/** To which open invoice of the same customer. */
async function movePage(
  peers: Peers,
  place: Workplace,
  invoice: Invoice,
  { values, faults, operation }: Moving,
): Promise<PageBlock> {
  const { t, organizationId, language } = place;
  const { customerId } = invoice;
  const wanted = { organizationId, customerId, status: ListedStatus.OPEN, kind: InvoiceKind.INVOICE, limit: OTHERS };
  const found = await peers.invoices.listInvoices(ListInvoicesRequest.fromPartial(wanted), place.call());
  const label = ({ number, openCents, dueDate }: InvoiceSummary): string =>
    `${number} · ${money(openCents, invoice.currency, language)} · ${day(dueDate, language)}`;
  const others = found.invoices.filter(({ id }) => id !== invoice.id);
  const intro = others.length === 0 ? t.moveSurplusNone : t.moveSurplusText;
  const page = { title: t.moveSurplus, intro, path: 'move-surplus', submit: t.moveSurplus };
  return moneyPage(place, invoice, faults, page, operation, [
    {
      ...{ name: 'toInvoiceId', label: t.moveSurplusTo, value: values.toInvoiceId ?? '', required: true },
      options: [{ value: '', label: t.none }, ...others.map((each) => ({ value: each.id, label: label(each) }))],
    },
    {
      ...{ name: 'amountCents', label: t.amount, value: values.amountCents ?? '', hint: t.moveSurplusHint },
      ...{ inputMode: 'decimal', maxLength: 30 },
    },
  ]);
}

function reversePage(
  place: Workplace,
  invoice: Invoice,
  entry: AccountEntry,
  faults: Faults,
  operation: string,
): PageBlock {
  const { t, language } = place;
  const values = { amount: money(entry.amountCents, invoice.currency, language), date: day(entry.date, language) };
  const page = {
    ...{ title: t.takeBack, intro: fill(t.takeBackText, values), submit: t.takeBack },
    path: `entries/${entry.id}/reverse`,
  };
  return moneyPage(place, invoice, faults, page, operation, [
    { name: 'reason', label: t.reason, value: '', required: true, maxLength: 500 },
  ]);
}
