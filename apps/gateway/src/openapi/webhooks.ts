import { Type, type TSchema } from '@sinclair/typebox';
import { object, orNull, timestamp, uuid } from '../schemas/fields';
import { type componentSchemas, exampleOf } from './component-schemas';

type Schemas = ReturnType<typeof componentSchemas>;

const payment = object(
  'Payment',
  {
    provider: Type.String({ description: 'Payment provider.', examples: ['mollie'] }),
    method: Type.String({ description: "The provider's method id.", examples: ['ideal'] }),
    id: Type.String({ description: "The provider's payment id.", examples: ['tr_7UhSN1zuXS'] }),
    paidAt: timestamp('When it was paid.'),
    amountCents: Type.Integer({ description: 'Amount in cents.', examples: [12_100] }),
  },
  'A payment.',
);

const invoicePaid = object(
  'InvoicePaidEvent',
  {
    type: Type.Literal('invoice.paid', { description: 'The event.', examples: ['invoice.paid'] }),
    timestamp: timestamp('When it happened.'),
    data: Type.Object(
      {
        invoiceId: uuid('invoice', 'The paid invoice.'),
        number: Type.String({ description: 'Its number.', examples: ['2026-0001'] }),
        publicToken: Type.String({ description: 'Token of its public page.', examples: ['kT3sYw0nQ1mB8vXcZ5rJ2g'] }),
        totalIncl: Type.Integer({ description: 'Total including VAT, in cents.', examples: [12_100] }),
        currency: Type.String({ description: 'ISO 4217.', examples: ['EUR'] }),
        customerId: uuid('customer', 'Its customer.'),
        checkoutId: orNull(uuid('checkout', 'The checkout session it was paid in, if any.')),
        payment,
      },
      { description: 'What was paid.' },
    ),
  },
  'An invoice was paid.',
);

const webhookTest = object(
  'WebhookTestEvent',
  {
    type: Type.Literal('webhook.test', { description: 'The event.', examples: ['webhook.test'] }),
    timestamp: timestamp('When it was sent.'),
    data: Type.Object(
      { endpointId: uuid('endpoint', 'The endpoint that is tried.') },
      { description: 'What is tried.' },
    ),
  },
  'An operator tries an endpoint.',
);

const signed = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
  example,
});

/** As Standard Webhooks say. */
const parameters = [
  signed('webhook-id', 'Names the event, the same on every attempt: act once.', '1b4e28ba-2fa1-51d2-883f-0016d3cca427'),
  signed(
    'webhook-timestamp',
    'Seconds since 1970 of this attempt; refuse what is older than five minutes.',
    '1772357401',
  ),
  signed(
    'webhook-signature',
    '`v1,` and base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the key that the secret is after `whsec_`, in ' +
      'base64; several with a space between while a secret is being rotated: one that fits is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  signed(
    'traceparent',
    'W3C trace context, when the service is traced.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    false,
  ),
];

interface WebhookText {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

const webhook = (schemas: Schemas, event: TSchema, text: WebhookText) => ({
  post: {
    ...text,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.ofAnswer(event), example: exampleOf(event) } },
    },
    responses: {
      '2XX': { description: 'Taken.' },
      '410': {
        description: 'The endpoint is gone and is disabled. Any other answer is tried again for about three days.',
      },
    },
  },
});

/** What the service sends: documented beside the API, so that generated clients know the shape. */
export const webhooks = (schemas: Schemas) => ({
  'invoice.paid': webhook(schemas, invoicePaid, {
    operationId: 'onInvoicePaid',
    summary: 'An invoice was paid',
    description: 'Sent after a hosted checkout is paid and its invoice is created. Signed as Standard Webhooks say.',
  }),
  'webhook.test': webhook(schemas, webhookTest, {
    operationId: 'onWebhookTest',
    summary: 'An operator tries the endpoint',
    description:
      'Sent to one endpoint when an operator asks for it, whatever events it wants. Signed like every other.',
  }),
});
