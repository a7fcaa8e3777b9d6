import { Type } from '@sinclair/typebox';
import { object, oneOf, orNull, singleLine, timestamp, uuid } from './fields';
import { payerInput } from './customer';
import { termsInput } from './document-terms';
import { linesInput } from './line';

export const CHECKOUT_STATUSES = ['open', 'paid', 'expired'] as const;
const MAX_LINES = 100;
const MAX_METHODS = 50;

const title = singleLine(200, 'Title shown on the checkout.', 'Abonnement 2026');
const redirectUrl = Type.String({
  format: 'uri',
  maxLength: 2_000,
  description: 'Where the payer lands after a successful payment: absolute https.',
  examples: ['https://shop.example/thanks'],
});
const status = oneOf(CHECKOUT_STATUSES, '`open` until paid or expired.', 'open');
const url = Type.String({
  description: 'The hosted checkout page.',
  examples: ['https://invoicing.example/c/5YzK1w8mJt2QnB7xRfVd0A'],
});
const amountIncl = Type.Integer({ description: 'Total including VAT, in cents.', examples: [12_100] });
const expiresAt = timestamp('When it can no longer be paid.', '2026-03-04T09:30:00.000Z');

export const checkoutInput = object(
  'CheckoutInput',
  {
    title,
    lines: linesInput(MAX_LINES),
    ...termsInput,
    customer: Type.Optional(payerInput),
    redirectUrl: Type.Optional(redirectUrl),
    methods: Type.Optional(
      Type.Array(
        Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Id of a method.', examples: ['ideal'] }),
        {
          maxItems: MAX_METHODS,
          uniqueItems: true,
          description: 'Payment provider method ids to offer. Default: all that are enabled.',
          examples: [['ideal']],
        },
      ),
    ),
    expiresInHours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 720, default: 72, description: 'Hours until it expires.', examples: [72] }),
    ),
  },
  'A hosted checkout session to create.',
);

export const checkoutCreated = object(
  'CheckoutCreated',
  { id: uuid('checkout', 'Id of the session.'), status, url, amountIncl, expiresAt },
  'A new hosted checkout session.',
);

export const checkoutListItem = object(
  'Checkout',
  {
    id: uuid('checkout', 'Id of the session.'),
    status,
    title,
    amountIncl,
    url,
    redirectUrl: orNull(redirectUrl),
    expiresAt,
    createdAt: timestamp('When it was created.'),
  },
  'A hosted checkout session in a list.',
);
