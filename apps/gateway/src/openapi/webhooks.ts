import { Type } from '@sinclair/typebox';
import { object, orNull, timestamp, uuid } from '../schemas/fields';
import { type componentSchemas, exampleOf } from './component-schemas';

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
        invoiceId: uuid('The paid invoice.'),
        number: Type.String({ description: 'Its number.', examples: ['2026-0001'] }),
        publicToken: Type.String({ description: 'Token of its public page.', examples: ['kT3sYw0nQ1mB8vXcZ5rJ2g'] }),
        totalIncl: Type.Integer({ description: 'Total including VAT, in cents.', examples: [12_100] }),
        currency: Type.String({ description: 'ISO 4217.', examples: ['EUR'] }),
        customerId: uuid('Its customer.'),
        checkoutId: orNull(uuid('The checkout session it was paid in, if any.')),
        payment,
      },
      { description: 'What was paid.' },
    ),
  },
  'An invoice was paid.',
);

/** What the service sends: documented beside the API, so that generated clients know the shape. */
export const webhooks = (schemas: ReturnType<typeof componentSchemas>) => ({
  'invoice.paid': {
    post: {
      operationId: 'onInvoicePaid',
      summary: 'An invoice was paid',
      description:
        'Sent after a hosted checkout is paid and its invoice is created. Signed as Standard Webhooks say: `webhook-id` (the same on every ' +
        'attempt), `webhook-timestamp` and `webhook-signature: v1,<base64 HMAC-SHA256 of id.timestamp.body>`.',
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.ofAnswer(invoicePaid), example: exampleOf(invoicePaid) } },
      },
      responses: {
        '2XX': { description: 'Taken.' },
        '410': {
          description: 'The endpoint is gone and is disabled. Any other answer is tried again for about three days.',
        },
      },
    },
  },
});
