import { paidPayload, sampleEvent } from '../testing/publish-event';
import { webhookBody } from './webhook-body';

test('invoice.paid as the API promises it', () => {
  const invoicePaid = paidPayload();
  const event = sampleEvent({ invoicePaid, occurredAt: new Date('2026-11-21T03:00:01.000Z') });
  const body = webhookBody(event)!;
  expect(JSON.parse(body)).toEqual({
    type: 'invoice.paid',
    timestamp: '2026-11-21T03:00:01.000Z',
    data: {
      invoiceId: invoicePaid.invoiceId,
      number: '2026-0001',
      publicToken: 'tok',
      totalIncl: 12100,
      currency: 'EUR',
      customerId: invoicePaid.customerId,
      checkoutId: invoicePaid.checkoutId,
      payment: {
        provider: 'sandbox',
        method: 'ideal',
        id: 'pay_1',
        paidAt: '2026-11-21T03:00:00.000Z',
        amountCents: 12100,
      },
    },
  });
  expect(Buffer.byteLength(body)).toBeLessThan(20_000);
});

test('paid without a checkout: checkoutId is null; other events stay inside', () => {
  const event = sampleEvent({ invoicePaid: { ...paidPayload(), checkoutId: undefined } });
  expect(JSON.parse(webhookBody(event)!).data.checkoutId).toBeNull();
  expect(webhookBody(sampleEvent({}))).toBeUndefined();
});
