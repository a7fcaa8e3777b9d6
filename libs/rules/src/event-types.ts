/**
 * The event catalogue: every event that a webhook endpoint can ask for. They are the payloads of `Event` in
 * proto/invoicing/events/v1/events.proto.
 */
export const eventTypes = [
  'invoice.issued',
  'invoice.paid',
  'invoice.overdue',
  'invoice.reminded',
  'invoice.credited',
  'payment.recorded',
  'payment.refunded',
  'payment.charged_back',
  'checkout.paid',
  'checkout.expired',
  'subscription.invoiced',
  'mail.failed',
  'peppol.delivered',
  'peppol.failed',
] as const;
/** One of the catalogue. */
export type EventType = (typeof eventTypes)[number];

/** What an endpoint gets that asks for nothing. */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = ['invoice.paid'];

/** Whether a name is one of the catalogue. */
export const isEventType = (name: unknown): name is EventType => (eventTypes as readonly unknown[]).includes(name);
