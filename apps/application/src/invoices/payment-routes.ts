import { dateIn } from '../pages/format';
import { randomUUID } from 'node:crypto';
import { RecordAccountPaymentRequest, RefundPaymentRequest } from '@invoicing/contracts/invoicing/billing/v1/account';
import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { validationError } from '@invoicing/errors';
import type { FieldBlock, PageBlock } from '../pages/blocks';
import { faultList, fieldOf, filledFields, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { centsField, typedCents } from '../pages/typed-amount';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { findInvoice } from './find-invoice';

const METHODS = ['bank', 'cash'] as const;
const NAMES = ['amountCents', 'date', 'method', 'reference', 'reason', 'through'] as const;

type Values = Partial<Record<(typeof NAMES)[number], string>>;

/** Money received outside, and money that goes back. */
export const paymentRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    recordPayments(peers, part);
    giveBack(peers, part);
  };

/** Money that was received outside. */
function recordPayments(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/payment',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const values = { amountCents: centsField(invoice.openCents, place.language), date: dateIn(place.timeZone) };
      show(response, place, paymentPage(place, invoice, values, noFaults, randomUUID()));
    },
    'payments.record',
  );

  part.post(
    '/invoices/:id/payment',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const operation = operationOf(request);
      const values = filledFields(request, NAMES);
      return submit(
        place,
        response,
        async () => {
          const { method = 'bank', date, reference = '' } = values;
          const { organizationId } = place;
          await peers.accounts.recordPayment(
            RecordAccountPaymentRequest.fromPartial({
              organizationId,
              invoiceId: invoice.id,
              amountCents: amountOf(values),
              // The operation names the payment: what is sent twice is one.
              provider: method,
              date,
              reference,
            }),
            place.call(operation),
          );
          return `${place.at(`invoices/${invoice.id}`)}?done=yes`;
        },
        (faults) => show(response, place, paymentPage(place, invoice, values, faults, operation), response.statusCode),
      );
    },
    'payments.record',
  );
}

/** Money that goes back. */
function giveBack(peers: Peers, part: Part): void {
  part.get(
    '/invoices/:id/refund',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      show(response, place, refundPage(place, invoice, { date: dateIn(place.timeZone) }, noFaults, randomUUID()));
    },
    'refunds.create',
  );

  part.post(
    '/invoices/:id/refund',
    async (place, request, response) => {
      const invoice = await findInvoice(peers, place, request);
      const operation = operationOf(request);
      const values = filledFields(request, NAMES);
      return submit(
        place,
        response,
        async () => {
          const { through = '', reason = '', reference = '', date } = values;
          const { organizationId } = place;
          await peers.accounts.refundPayment(
            RefundPaymentRequest.fromPartial({
              organizationId,
              invoiceId: invoice.id,
              amountCents: values.amountCents === undefined ? undefined : amountOf(values),
              through,
              reason,
              keepOpen: fieldOf(request, 'credit') === 'no',
              date: through === '' ? undefined : date,
              reference: through === '' ? '' : reference,
            }),
            place.call(operation),
          );
          return `${place.at(`invoices/${invoice.id}`)}?done=yes`;
        },
        (faults) => show(response, place, refundPage(place, invoice, values, faults, operation), response.statusCode),
      );
    },
    'refunds.create',
  );
}

/** Throws `validation` for what is no amount. */
export function amountOf({ amountCents = '' }: Pick<Values, 'amountCents'>): number {
  const cents = typedCents(amountCents);
  if (cents === undefined) throw validationError([{ path: '/amountCents', message: 'must be an amount' }]);
  return cents;
}

/** A form about the money of one invoice. */
export function moneyPage(
  { at }: Workplace,
  invoice: Invoice,
  faults: Faults,
  page: { readonly title: string; readonly intro?: string; readonly path: string; readonly submit: string },
  operation: string,
  fields: readonly FieldBlock[],
): PageBlock {
  const back = at(`invoices/${invoice.id}`);
  return {
    title: page.title,
    ...(page.intro && { intro: page.intro }),
    back: { label: invoice.number, href: back },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            action: `${back}/${page.path}`,
            submit: page.submit,
            cancel: back,
            hidden: { operation },
            fields: fields.map((field) => ({ ...field, fault: faults.fields[field.name] })),
          },
        ],
      },
    ],
  };
}

function paymentPage(place: Workplace, invoice: Invoice, values: Values, faults: Faults, operation: string): PageBlock {
  const { t } = place;
  const page = { title: t.recordPayment, intro: t.recordPaymentText, path: 'payment', submit: t.recordPayment };
  return moneyPage(place, invoice, faults, page, operation, [
    {
      name: 'amountCents',
      label: t.amount,
      value: values.amountCents ?? '',
      required: true,
      inputMode: 'decimal',
      maxLength: 30,
    },
    { name: 'date', label: t.date, type: 'date', value: values.date ?? '', required: true },
    {
      name: 'method',
      label: t.method,
      value: values.method ?? 'bank',
      required: true,
      options: METHODS.map((value) => ({ value, label: value === 'bank' ? t.methodBank : t.methodCash })),
    },
    { name: 'reference', label: t.reference, value: values.reference ?? '', maxLength: 100 },
  ]);
}

function refundPage(place: Workplace, invoice: Invoice, values: Values, faults: Faults, operation: string): PageBlock {
  const { t } = place;
  const page = { title: t.refund, intro: t.refundText, path: 'refund', submit: t.refund };
  return moneyPage(place, invoice, faults, page, operation, [
    {
      name: 'amountCents',
      label: t.amount,
      value: values.amountCents ?? '',
      inputMode: 'decimal',
      maxLength: 30,
      hint: t.refundAmountHint,
    },
    {
      name: 'through',
      label: t.refundThrough,
      value: values.through ?? '',
      required: true,
      options: [
        { value: '', label: t.refundProvider },
        { value: 'bank', label: t.methodBank },
        { value: 'cash', label: t.methodCash },
      ],
    },
    {
      name: 'credit',
      label: t.refundCredit,
      value: 'yes',
      required: true,
      options: [
        { value: 'yes', label: t.refundCreditYes },
        { value: 'no', label: t.refundCreditNo },
      ],
    },
    { name: 'reason', label: t.reason, value: values.reason ?? '', maxLength: 200 },
  ]);
}
