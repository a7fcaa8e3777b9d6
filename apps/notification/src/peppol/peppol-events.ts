import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { outboxEntry, type OutboxEntry } from '@invoicing/events';
import { v5 as uuidv5 } from 'uuid';
import type { PeppolDelivery, PeppolFailure } from './peppol-delivery';

/** Each is told once of a delivery: the id comes from it. */
const entry = (of: PeppolDelivery, type: string, occurredAt: Date, payload: Partial<Event>): OutboxEntry =>
  outboxEntry(
    Event.fromPartial({
      id: uuidv5(type, of._id),
      type,
      occurredAt,
      organizationId: of.organizationId,
      source: 'notification',
      ...payload,
    }),
  );

export const peppolDelivered = (of: PeppolDelivery, messageId: string, at: Date): OutboxEntry => {
  const { _id: deliveryId, invoiceId, recipient } = of;
  return entry(of, 'peppol.delivered', at, { peppolDelivered: { deliveryId, invoiceId, recipient, messageId } });
};

export const peppolFailed = (of: PeppolDelivery, { error, reason }: PeppolFailure, at: Date): OutboxEntry => {
  const { _id: deliveryId, invoiceId, recipient } = of;
  return entry(of, 'peppol.failed', at, { peppolFailed: { deliveryId, invoiceId, recipient, error, reason } });
};
