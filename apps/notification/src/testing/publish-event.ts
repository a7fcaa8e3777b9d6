import { randomUUID } from 'node:crypto';
import { connectEvents, outboxEntry } from '@invoicing/events';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';

/** An event as billing publishes it. */
export const sampleEvent = (changes: Partial<Event>): Event =>
  Event.fromPartial({
    id: randomUUID(),
    type: changes.invoicePaid ? 'invoice.paid' : 'invoice.issued',
    occurredAt: new Date(),
    organizationId: randomUUID(),
    source: 'billing',
    ...changes,
  });

export const paidPayload = (): NonNullable<Event['invoicePaid']> => ({
  invoiceId: randomUUID(),
  number: '2026-0001',
  publicToken: 'tok',
  totalInclCents: 12_100,
  currency: 'EUR',
  customerId: randomUUID(),
  checkoutId: randomUUID(),
  provider: 'sandbox',
  method: 'ideal',
  paymentId: 'pay_1',
  paidAt: new Date('2026-11-21T03:00:00.000Z'),
  amountCents: 12_100,
});

/** Puts events on the stream, past any outbox. */
export async function publishEvents(natsUrl: string, events: readonly Event[]): Promise<void> {
  const connection = await connectEvents({ url: natsUrl, name: 'test' });
  const jetstream = connection.jetstream();
  for (const event of events) {
    const { subject, body } = outboxEntry(event);
    await jetstream.publish(subject, body);
  }
  await connection.close();
}
