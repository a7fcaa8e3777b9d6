import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { embedded, optionalList, required } from '@invoicing/mongo';
import { activeTraceparent } from '@invoicing/telemetry';

/**
 * An event inside the document whose change it tells, until it is settled. `dueAt` is when it is to be published (again).
 * The field is called `outbox` in every collection that carries events.
 */
export interface OutboxEntry {
  /** Id of the event, from the operation's id. */
  readonly id: string;
  /** `events.<type>`. */
  readonly subject: string;
  /** The event in proto JSON. */
  readonly body: string;
  readonly dueAt: Date;
  /** W3C trace of the work that made the change; only when it was traced. */
  readonly traceparent?: string;
}

/** Mongoose schema of the `outbox` field. Index it with `outboxIndex`. */
export const outboxField = optionalList(
  embedded<OutboxEntry>({
    id: required(String),
    subject: required(String),
    body: required(String),
    dueAt: required(Date),
    traceparent: String,
  }),
);

/** What is pending in a collection: sparse, so that settled documents are not in it. */
export const outboxIndex = [{ 'outbox.dueAt': 1 }, { sparse: true, name: 'outbox_due' }] as const;

/** An event, ready to be written with its document. Due at once, also where an organisation's clock runs ahead. */
export function outboxEntry(event: Event): OutboxEntry {
  const traceparent = activeTraceparent();
  return {
    id: event.id,
    subject: `events.${event.type}`,
    body: JSON.stringify(Event.toJSON(event)),
    dueAt: new Date(Math.min(event.occurredAt?.getTime() ?? Infinity, Date.now())),
    ...(traceparent && { traceparent }),
  };
}

/** Subject on which consumers report that the events of a source are settled. Body: the event's id; see settled.ts. */
export const settledSubject = (source: string): string => `settled.${source}`;
