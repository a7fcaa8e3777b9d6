import type { Event, PaymentMoved } from '@invoicing/contracts/invoicing/events/v1/events';
import { isEventType, type EventType } from '@invoicing/rules';
import type { WebhookEvent } from '@invoicing/sdk';

export const TEST_EVENT = 'webhook.test';

/** The body that webhooks carry for an event, or undefined when it is none of the catalogue. */
export function webhookBody(event: Event): string | undefined {
  const { type, occurredAt } = event;
  const data = isEventType(type) ? DATA[type](event) : undefined;
  return data && JSON.stringify({ type, timestamp: occurredAt?.toISOString(), data });
}

export const testEventBody = (at: Date, endpointId: string): string =>
  JSON.stringify({ type: TEST_EVENT, timestamp: at.toISOString(), data: { endpointId } });

type DataOf<T extends EventType> = Extract<WebhookEvent, { type: T }>['data'];

/** What integrators are told. The SDK's types are made of the OpenAPI document: what that does not say does not compile here. */
const DATA: { readonly [T in EventType]: (event: Event) => DataOf<T> | undefined } = {
  'invoice.issued': ({ invoiceIssued: issued }) =>
    issued && {
      ...invoiceData(issued),
      // Not said by the version before.
      kind: issued.kind === 'credit_note' ? 'credit_note' : 'invoice',
      issueDate: issued.issueDate || null,
      dueDate: issued.dueDate || null,
    },
  'invoice.paid': ({ invoicePaid: paid }) =>
    paid && {
      ...invoiceData(paid),
      checkoutId: paid.checkoutId ?? null,
      payment: {
        provider: paid.provider,
        method: paid.method,
        id: paid.paymentId,
        paidAt: timeOf(paid.paidAt),
        amountCents: paid.amountCents,
      },
    },
  'invoice.overdue': ({ invoiceOverdue: overdue }) =>
    overdue && { ...invoiceData(overdue), openCents: overdue.openCents, dueDate: overdue.dueDate },
  'invoice.reminded': ({ invoiceReminded: reminded }) =>
    reminded && {
      ...invoiceData(reminded),
      openCents: reminded.openCents,
      dueDate: reminded.dueDate,
      reminderId: reminded.reminderId,
      step: reminded.step,
      channel: 'email',
      costsCents: reminded.costsCents,
      interestCents: reminded.interestCents,
    },
  'invoice.credited': ({ invoiceCredited: credited }) =>
    credited && {
      invoiceId: credited.invoiceId,
      number: credited.number,
      customerId: credited.customerId,
      creditNoteId: credited.creditNoteId,
      creditNoteNumber: credited.creditNoteNumber,
      publicToken: credited.publicToken,
      amountCents: credited.amountCents,
      currency: credited.currency,
      reason: credited.reason,
    },
  'payment.recorded': ({ paymentRecorded: recorded }) => recorded?.moved && movedData(recorded.moved),
  'payment.refunded': ({ paymentRefunded: refunded }) =>
    refunded?.moved && {
      ...movedData(refunded.moved),
      refundId: refunded.moved.providerId || null,
      reason: refunded.reason,
    },
  'payment.charged_back': ({ paymentChargedBack: back }) =>
    back?.moved && { ...movedData(back.moved), chargebackId: back.moved.providerId },
  'checkout.paid': ({ checkoutPaid: paid }) =>
    paid && { checkoutId: paid.checkoutId, amountIncl: paid.amountCents, currency: paid.currency },
  'checkout.expired': ({ checkoutExpired: expired }) =>
    expired && {
      checkoutId: expired.checkoutId,
      amountIncl: expired.amountCents,
      currency: expired.currency,
      expiresAt: timeOf(expired.expiresAt),
    },
  'subscription.invoiced': ({ subscriptionInvoiced: invoiced }) =>
    invoiced && {
      subscriptionId: invoiced.subscriptionId,
      customerId: invoiced.customerId,
      periodDate: invoiced.periodDate,
      invoiceId: invoiced.invoiceId,
      invoiceStatus: invoiced.issued ? 'sent' : 'draft',
      nextRunDate: invoiced.nextRunDate || null,
    },
  'mail.failed': ({ mailFailed: failed }) =>
    failed && {
      mailId: failed.mailId,
      invoiceId: failed.invoiceId,
      error: failed.error,
      attempts: failed.attempts,
      reason: failed.reason || null,
    },
  'peppol.delivered': ({ peppolDelivered: delivered }) =>
    delivered && {
      deliveryId: delivered.deliveryId,
      invoiceId: delivered.invoiceId,
      recipient: delivered.recipient,
      messageId: delivered.messageId,
    },
  'peppol.failed': ({ peppolFailed: failed }) =>
    failed && {
      deliveryId: failed.deliveryId,
      invoiceId: failed.invoiceId,
      recipient: failed.recipient || null,
      error: failed.error,
      reason: failed.reason,
    },
};

/** Always there in what our services write; a message in proto JSON cannot say so. */
const timeOf = (at: Date | undefined): string => at?.toISOString() ?? '';

const invoiceData = (invoice: {
  invoiceId: string;
  number: string;
  publicToken: string;
  totalInclCents: number;
  currency: string;
  customerId: string;
}) => ({
  invoiceId: invoice.invoiceId,
  number: invoice.number,
  publicToken: invoice.publicToken,
  totalIncl: invoice.totalInclCents,
  currency: invoice.currency,
  customerId: invoice.customerId,
});

/** What went which way, and where the account stands after it. */
const movedData = (moved: PaymentMoved) => ({
  entryId: moved.entryId,
  invoiceId: moved.invoiceId,
  number: moved.number,
  publicToken: moved.publicToken,
  customerId: moved.customerId,
  amountCents: moved.amountCents,
  currency: moved.currency,
  date: moved.date,
  openCents: moved.openCents,
  surplusCents: moved.surplusCents,
  payment: { provider: moved.provider, method: moved.method, id: moved.paymentId },
});
