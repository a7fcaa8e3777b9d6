import { v5 as uuidv5 } from 'uuid';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { outboxEntry, type OutboxEntry } from '@invoicing/events';
import { endpointOf, isBusiness, isPeppolRequired } from '@invoicing/rules';
import type { ChargebackEntry, Entry, PaymentEntry, RefundEntry, SettlementEntry } from './account/entry';
import { TRANSFER } from './account/entry';
import type { OpenAmount } from './account/open-amount';
import type { IssuedInvoice } from './invoices/issued-invoice';
import type { Reminder } from './reminders/reminder';
import type { Subscription } from './subscriptions/subscription';
import type { PeriodInvoiced } from './subscriptions/subscription-ports';

const SOURCE = 'billing';
// Ours alone, so that no id of another kind can be the same.
const NAMESPACE = '0f1d5c0e-6a3b-5b0e-9c55-3a8f0a5f4c1d';

const common = (invoice: IssuedInvoice) => ({
  invoiceId: invoice._id,
  number: invoice.number,
  publicToken: invoice.publicToken,
  totalInclCents: invoice.totals.inclCents,
  currency: invoice.currency,
  customerId: invoice.customerId,
});

/** The ids of events come from what they tell of, so that however often a write is tried there is one of each. */
const entry = (
  invoice: Pick<IssuedInvoice, '_id' | 'organizationId' | 'testScenario'>,
  type: string,
  occurredAt: Date,
  payload: Partial<Event>,
  of: string = invoice._id,
): OutboxEntry =>
  outboxEntry(
    Event.fromPartial({
      id: uuidv5(`${type}:${of}`, NAMESPACE),
      type,
      occurredAt,
      organizationId: invoice.organizationId,
      source: SOURCE,
      testScenario: invoice.testScenario,
      ...payload,
    }),
  );

/** What an issued document tells: that it is there, and a credit note which invoice it credits. */
export const eventsOfIssue = (invoice: IssuedInvoice): OutboxEntry[] => [
  entry(invoice, 'invoice.issued', invoice.issuedAt, {
    invoiceIssued: {
      ...{ ...common(invoice), ...invoice.delivery },
      ...{ kind: invoice.kind, issueDate: invoice.issueDate, dueDate: invoice.dueDate },
      peppol: peppolWish(invoice),
    },
  }),
  ...(invoice.credited ? [invoiceCredited(invoice, invoice.credited)] : []),
];

/** Whether it is to go over Peppol: `required` by law, `possible` to a business that can be addressed; empty where it cannot. */
function peppolWish({ seller, buyer }: IssuedInvoice): string {
  if (isPeppolRequired(seller, buyer)) return 'required';
  return isBusiness(buyer) && endpointOf(buyer) ? 'possible' : '';
}

const invoiceCredited = (note: IssuedInvoice, credited: NonNullable<IssuedInvoice['credited']>): OutboxEntry =>
  entry(note, 'invoice.credited', note.issuedAt, {
    invoiceCredited: {
      invoiceId: credited.invoiceId,
      number: credited.number,
      creditNoteId: note._id,
      creditNoteNumber: note.number,
      publicToken: note.publicToken,
      amountCents: note.totals.inclCents,
      currency: note.currency,
      customerId: note.customerId,
      reason: note.reason,
    },
  });

/** A reminder was sent; with what it asked for. */
export const invoiceReminded = (
  invoice: IssuedInvoice,
  reminder: Reminder & { readonly sentAt: Date },
): OutboxEntry => {
  const { _id: reminderId, step, channel, claim, sentAt } = reminder;
  const { openCents, costsCents, interestCents } = claim;
  const asked = { reminderId, step: step + 1, channel, openCents, costsCents, interestCents };
  const invoiceReminded = { ...common(invoice), dueDate: invoice.dueDate, ...asked };
  return entry(invoice, 'invoice.reminded', sentAt, { invoiceReminded }, reminderId);
};

/** A period of a subscription has its invoice. `after`: the subscription once it has moved on. */
export const subscriptionInvoiced = (
  after: Subscription,
  { nextRunDate: periodDate }: Subscription,
  { invoiceId, issued, at }: PeriodInvoiced,
): OutboxEntry => {
  const { _id: subscriptionId, customerId, status, nextRunDate } = after;
  const told = { subscriptionId, customerId, periodDate, invoiceId, issued };
  const payload = { ...told, nextRunDate: status === 'ended' ? '' : nextRunDate };
  // The id of the invoice comes from the subscription and the period.
  return entry(after, 'subscription.invoiced', at, { subscriptionInvoiced: payload }, invoiceId);
};

/** What an entry on the account of an invoice tells, with where the account stands after it. */
export function eventsOfEntry(invoice: IssuedInvoice, each: Entry, after: OpenAmount): OutboxEntry[] {
  const told = (type: string, payload: Partial<Event>, of: string): OutboxEntry =>
    entry(invoice, type, each.at, payload, of);
  switch (each.type) {
    case 'payment':
      return [
        told('payment.recorded', { paymentRecorded: { moved: moved(invoice, each, after) } }, each._id),
        ...(each.settles ? [invoicePaid(invoice, each)] : []),
      ];
    case 'refund':
      // One on its way is told when its provider took it over; what pays another invoice went to nobody.
      return each.done && each.provider !== TRANSFER ? [refunded(invoice, each, after)] : [];
    case 'settlement':
      return [refunded(invoice, each, after)];
    case 'chargeback':
      return [told('payment.charged_back', { paymentChargedBack: { moved: moved(invoice, each, after) } }, each._id)];
    case 'overdue':
      return [told('invoice.overdue', { invoiceOverdue: overdue(invoice, after) }, each._id)];
    default:
      return [];
  }
}

const overdue = (invoice: IssuedInvoice, { openCents }: OpenAmount) => ({
  ...common(invoice),
  openCents,
  dueDate: invoice.dueDate,
});

/** Told of the refund, whichever entry says that it is done. */
function refunded(invoice: IssuedInvoice, each: RefundEntry | SettlementEntry, after: OpenAmount): OutboxEntry {
  const refundId = each.type === 'settlement' ? each.of : each._id;
  const payload = { moved: { ...moved(invoice, each, after), entryId: refundId }, reason: each.reason };
  return entry(invoice, 'payment.refunded', each.at, { paymentRefunded: payload }, refundId);
}

const moved = (
  invoice: IssuedInvoice,
  each: PaymentEntry | RefundEntry | SettlementEntry | ChargebackEntry,
  { openCents, surplusCents }: OpenAmount,
) => ({
  entryId: each._id,
  invoiceId: invoice._id,
  number: invoice.number,
  publicToken: invoice.publicToken,
  customerId: invoice.customerId,
  amountCents: each.amountCents,
  currency: invoice.currency,
  openCents,
  surplusCents,
  provider: each.provider,
  method: each.method,
  paymentId: each.paymentId,
  providerId: each.type === 'payment' ? '' : each.providerId,
  date: each.date,
});

const invoicePaid = (invoice: IssuedInvoice, payment: PaymentEntry): OutboxEntry =>
  entry(invoice, 'invoice.paid', payment.at, {
    invoicePaid: {
      ...common(invoice),
      checkoutId: payment.checkoutId ?? undefined,
      provider: payment.provider,
      method: payment.method,
      paymentId: payment.paymentId,
      paidAt: payment.paidAt,
      amountCents: payment.amountCents,
    },
  });
