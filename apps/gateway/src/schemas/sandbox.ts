import { Type } from '@sinclair/typebox';
import { object, oneOf, timestamp, uuid } from './fields';

export const clock = object(
  'Clock',
  {
    now: timestamp('The time that it shows.', '2027-01-31T09:00:00.000Z'),
    aheadMs: Type.Integer({
      minimum: 0,
      description: 'How far it is ahead of real time, milliseconds.',
      examples: [2_678_400_000],
    }),
  },
  'The clock of an organisation; a live one lives in real time.',
);

export const clockMove = object(
  'ClockMove',
  {
    at: Type.Optional(
      Type.String({ format: 'date-time', description: 'To this time; not before what it shows.', examples: [] }),
    ),
    by: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 50,
        description:
          'By this ISO 8601 duration, such as `P1M`, `P7D`, `PT2H`; months are those of the calendar. Instead of `at`.',
        examples: ['P1M'],
      }),
    ),
    real: Type.Optional(Type.Literal(true, { description: 'Back to real time. Instead of the others.', examples: [] })),
  },
  'Where to move the clock: exactly one of `at`, `by` and `real`.',
);

/** What happens to invoices without a request of their organisation, by the service that it happens in. */
export const CAUSED_EVENTS = {
  billing: ['invoice.credited', 'invoice.reminded'],
  notification: ['mail.failed', 'peppol.delivered', 'peppol.failed'],
} as const;

const causedEvent = {
  type: oneOf(Object.values(CAUSED_EVENTS).flat(), 'What is to happen.', 'mail.failed'),
  invoiceId: uuid('invoice', 'An issued invoice that it happens to.'),
};

export const testEventInput = object('TestEventInput', causedEvent, 'Something to happen to an invoice.');

export const testEvent = object('TestEvent', causedEvent, 'What happened, or is under way: its webhook follows.');

/** What a stream tells of one event. */
export const streamedEvent = object(
  'StreamedEvent',
  {
    id: uuid('event', 'Names the event, as `webhook-id` does.'),
    type: Type.String({ description: 'As in webhooks; there may be more in time.', examples: ['invoice.paid'] }),
    body: Type.String({
      description: 'The body of the webhook, to the byte: what its signature is made over.',
      examples: ['{"type":"invoice.paid","timestamp":"2026-03-01T09:30:00.000Z","data":{}}'],
    }),
  },
  'An event of a test organisation, as it is sent to webhooks.',
);

/** What a stream tells of one request. */
export const streamedRequest = object(
  'StreamedRequest',
  {
    at: timestamp('When it was answered.'),
    method: Type.String({ description: 'HTTP method.', examples: ['POST'] }),
    path: Type.String({ description: 'Path of the operation.', examples: ['/api/v1/invoices'] }),
    status: Type.Integer({ description: 'HTTP status of the answer.', examples: [400] }),
    code: Type.String({ description: 'Error code of the answer; empty when there is none.', examples: ['validation'] }),
    durationMs: Type.Integer({ description: 'From the request to its answer.', examples: [12] }),
    requestId: Type.String({
      description: '`X-Request-Id` of the answer.',
      examples: ['5f0c1f0e-5d6b-4b5a-9d53-9f7f4a4f8a10'],
    }),
  },
  'A request that a program made of the API with a key of the test organisation.',
);
