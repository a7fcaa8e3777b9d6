import type { Event } from '@invoicing/contracts/invoicing/events/v1/events';

/** Events that endpoints can ask for. Those of the log that are not here stay inside. */
export const WEBHOOK_EVENTS = ['invoice.paid'] as const;

export const TEST_EVENT = 'webhook.test';

/** The body that webhooks carry for an event, or undefined when they carry none. */
export function webhookBody({ type, occurredAt, invoicePaid }: Event): string | undefined {
  if (!invoicePaid) return undefined;
  return JSON.stringify({
    type,
    timestamp: occurredAt?.toISOString(),
    data: {
      invoiceId: invoicePaid.invoiceId,
      number: invoicePaid.number,
      publicToken: invoicePaid.publicToken,
      totalIncl: invoicePaid.totalInclCents,
      currency: invoicePaid.currency,
      customerId: invoicePaid.customerId,
      checkoutId: invoicePaid.checkoutId ?? null,
      payment: {
        provider: invoicePaid.provider,
        method: invoicePaid.method,
        id: invoicePaid.paymentId,
        paidAt: invoicePaid.paidAt?.toISOString(),
        amountCents: invoicePaid.amountCents,
      },
    },
  });
}

export const testEventBody = (at: Date, endpointId: string): string =>
  JSON.stringify({ type: TEST_EVENT, timestamp: at.toISOString(), data: { endpointId } });
