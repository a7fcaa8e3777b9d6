import { RecordAccountPaymentRequest, RefundPaymentRequest } from '@invoicing/contracts/invoicing/billing/v1/account';
import { dateIn } from '../pages/format';
import { centsField } from '../pages/typed-amount';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { addMoneyForm, amountField, amountOf, ofInvoice, type MoneyForm, type MoneySubject } from './money-form';

/** Money received outside, and money that goes back. */
export const paymentRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    addMoneyForm(peers, part, payment(peers));
    addMoneyForm(peers, part, refund(peers));
  };

/** Money that was received outside. */
const payment = ({ accounts }: Peers): MoneyForm<MoneySubject> => ({
  ...{ path: 'payment', action: 'payments.record', find: ofInvoice },
  title: ({ t }) => t.recordPayment,
  intro: ({ t }) => t.recordPaymentText,
  values: ({ language, timeZone }, { invoice }) => ({
    amountCents: centsField(invoice.openCents, language),
    date: dateIn(timeZone),
  }),
  fields: (place, values) => {
    const { t } = place;
    return [
      amountField(place, values, { required: true }),
      { name: 'date', label: t.date, type: 'date', value: values['date'] ?? '', required: true },
      {
        ...{ name: 'method', label: t.method, value: values['method'] ?? 'bank', required: true },
        options: [
          { value: 'bank', label: t.methodBank },
          { value: 'cash', label: t.methodCash },
        ],
      },
      { name: 'reference', label: t.reference, value: values['reference'] ?? '', maxLength: 100 },
    ];
  },
  act: ({ organizationId }, { invoice }, values, call) => {
    const { method: provider = 'bank', date, reference = '' } = values;
    const asked = { organizationId, invoiceId: invoice.id, amountCents: amountOf(values), provider, date, reference };
    return accounts.recordPayment(RecordAccountPaymentRequest.fromPartial(asked), call);
  },
});

/** Money that goes back. */
const refund = ({ accounts }: Peers): MoneyForm<MoneySubject> => ({
  ...{ path: 'refund', action: 'refunds.create', find: ofInvoice },
  title: ({ t }) => t.refund,
  intro: ({ t }) => t.refundText,
  values: () => ({}),
  fields: (place, values) => {
    const { t } = place;
    return [
      amountField(place, values, { hint: t.refundAmountHint }),
      {
        ...{ name: 'through', label: t.refundThrough, value: values['through'] ?? '', required: true },
        options: [
          { value: '', label: t.refundProvider },
          { value: 'bank', label: t.methodBank },
          { value: 'cash', label: t.methodCash },
        ],
      },
      {
        ...{ name: 'credit', label: t.refundCredit, value: values['credit'] ?? 'yes', required: true },
        options: [
          { value: 'yes', label: t.refundCreditYes },
          { value: 'no', label: t.refundCreditNo },
        ],
      },
      { name: 'reason', label: t.reason, value: values['reason'] ?? '', maxLength: 200 },
    ];
  },
  act: ({ organizationId }, { invoice }, values, call) => {
    const { through = '', reason = '', credit } = values;
    const asked = {
      ...{ organizationId, invoiceId: invoice.id, through, reason, keepOpen: credit === 'no' },
      amountCents: values['amountCents'] === undefined ? undefined : amountOf(values),
    };
    return accounts.refundPayment(RefundPaymentRequest.fromPartial(asked), call);
  },
});
